// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: float[2 * N * max(1, min(C / 2048, 1024 / N))]
   kernel log_sum_exp grid [div_up(N, 1 + 7 * min(1, 1024 / C)), max(1, min(C / 2048, 1024 / N))] block [256] (x, y, part, N, C)
   kernel join_pieces grid [max(1, N * min(max(1, min(C / 2048, 1024 / N)) - 1, 1))] block [256] (y, part, int(max(1, min(C / 2048, 1024 / N))))
*/
// A warp has a row of at most 1,024 numbers, a block a longer one or a piece of one. The second kernel is of rows in pieces alone. What is above an infinite largest number is Inf or 0, and none of it Inf - Inf.
#include "blocks/exponentials.cuh"

// A thread's numbers stay in registers.
__device__ void log_sum_exp_of_short(const float* __restrict__ x, float* __restrict__ y, long long N, int C) {
  constexpr int kHeld = 1024 / 32;
  const long long row = blockIdx.x * (long long)kWarps + threadIdx.x / 32;
  if (row >= N) return;
  x += row * C;
  float held[kHeld], top = __int_as_float(0xff800000), sum = 0;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) held[i] = i * 32 + threadIdx.x % 32 < C ? x[i * 32 + threadIdx.x % 32] : __int_as_float(0xff800000);
#pragma unroll
  for (int i = 0; i < kHeld; ++i) top = larger(held[i], top);
  for (int width = 16; width > 0; width /= 2) top = larger(__shfl_xor_sync(kAll, top, width), top);
  const float base = base_of(top, true);
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (i * 32 < C) sum += expf(held[i] - base);
  for (int width = 16; width > 0; width /= 2) sum += __shfl_xor_sync(kAll, sum, width);
  if (threadIdx.x % 32 == 0) y[row] = base + logf(sum);
}

extern "C" __global__ void __launch_bounds__(kThreads) log_sum_exp(const float* __restrict__ x, float* __restrict__ y,
                                                                   float* __restrict__ part, long long N, long long C) {
  if (C <= 1024) return log_sum_exp_of_short(x, y, N, (int)C);
  const Piece piece(C);
  x += blockIdx.x * C + piece.begin;
  const Exponentials found =
      C % 4 == 0 ? exponentials_of(Row<float4>(x, piece.length), true) : exponentials_of(Row<float>(x, piece.length), true);
  if (threadIdx.x > 0) return;
  if (gridDim.y == 1) y[blockIdx.x] = found.base + logf(found.sum);
  else reinterpret_cast<float2*>(part)[blockIdx.x * gridDim.y + blockIdx.y] = make_float2(found.top, found.sum);
}

extern "C" __global__ void join_pieces(float* __restrict__ y, const float* __restrict__ part, int pieces) {
  if (pieces == 1) return;
  const Exponentials found = joined(reinterpret_cast<const float2*>(part) + blockIdx.x * pieces, pieces, true);
  if (threadIdx.x == 0) y[blockIdx.x] = found.base + logf(found.sum);
}
