// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch values: float[N * max(1, min(M / max(64, 2048 / N), 2048 / div_up(N, 32)))]
   scratch places: long[N * max(1, min(M / max(64, 2048 / N), 2048 / div_up(N, 32)))]
   kernel search grid [div_up(N, 32), max(1, min(M / max(64, 2048 / N), 2048 / div_up(N, 32)))] block [256] (x, values, places, M, N)
   kernel choose grid [div_up(N, 8)] block [256] (values, places, y, N, long(max(1, min(M / max(64, 2048 / N), 2048 / div_up(N, 32)))))
*/
// A block has 32 neighbouring columns of a piece of the rows, its warps go down different rows of it. Columns that are fewer are searched
// by all threads, neighbours in neighbouring numbers. Then a warp has what the pieces of a column gave. The best of two is the larger one,
// and the first one of equals; NaN is larger than any number.
#include <stdint.h>

constexpr int kThreads = 256, kColumns = 32, kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffff;

struct Best {
  float value;
  long long place;
};

__device__ Best best_of(Best a, Best b) {
  const bool a_is_none = a.value != a.value, b_is_none = b.value != b.value;
  bool first = a.value > b.value || (!(a.value < b.value) && a.place < b.place);
  if (a_is_none != b_is_none) first = a_is_none;
  return first ? a : b;
}

// Of numbers that come one after the other.
__device__ void take(Best& best, float value, long long place) {
  if (value <= best.value || best.value != best.value) return;
  best = {value, place};
}

extern "C" __global__ void search(const float* __restrict__ x, float* __restrict__ values, long long* __restrict__ places, long long M,
                                  long long N) {
  __shared__ Best found[kThreads];
  const long long share = (M + gridDim.y - 1) / gridDim.y / 4 * 4 + 4, begin = min(blockIdx.y * share, M), end = min(begin + share, M);
  const long long first = blockIdx.x * (long long)kColumns;
  const int columns = (int)min(N, (long long)kColumns), rows = kThreads / columns;
  const int lane = threadIdx.x % columns, row = threadIdx.x / columns;
  const bool by_fours = N == 1 && M % 4 == 0;
  const long long own = begin + (by_fours ? row * 4ll : row);
  Best best = {__int_as_float(0xff800000), own < end ? own : M};  // the place of the first number, should all be -Inf
  if (by_fours) {
#pragma unroll 8
    for (long long m = own; m < end; m += kThreads * 4) {
      const float4 v = *reinterpret_cast<const float4*>(x + m);
      take(best, v.x, m);
      take(best, v.y, m + 1);
      take(best, v.z, m + 2);
      take(best, v.w, m + 3);
    }
  } else if (row < rows && first + lane < N) {
    const float* from = x + first + lane;
#pragma unroll 8
    for (long long m = own; m < end; m += rows) take(best, from[m * N], m);
  }
  found[threadIdx.x] = best;
  for (int some = rows, left = (some + 1) / 2; some > 1; some = left, left = (some + 1) / 2) {
    __syncthreads();
    if (row >= some - left) continue;
    best = best_of(best, found[(row + left) * columns + lane]);
    found[threadIdx.x] = best;
  }
  if (row > 0 || first + lane >= N) return;
  values[blockIdx.y * N + first + lane] = best.value;
  places[blockIdx.y * N + first + lane] = best.place;
}

extern "C" __global__ void choose(const float* __restrict__ values, const long long* __restrict__ places, int64_t* __restrict__ y,
                                  long long N, long long pieces) {
  const long long column = blockIdx.x * (long long)kWarps + threadIdx.x / 32;
  if (column >= N) return;
  Best best = {values[column], places[column]};
#pragma unroll 8
  for (long long p = threadIdx.x % 32; p < pieces; p += 32) best = best_of(best, {values[p * N + column], places[p * N + column]});
  for (int width = 16; width > 0; width /= 2)
    best = best_of(best, {__shfl_xor_sync(kAll, best.value, width), __shfl_xor_sync(kAll, best.place, width)});
  if (threadIdx.x % 32 == 0) y[column] = best.place;
}
