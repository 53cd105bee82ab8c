// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel place_rows grid [64] block [1024] (experts, place, sorted_experts, T, K)
   kernel copy_rows  grid [div_up(T, 8), min(div_up(D, 512), 65535)] block [256] (x, place, rows, T, D, K)
*/
// A block has an expert, whose rows stand behind those of all before it. Then a warp reads a token's row once, and writes it K times.
#include "blocks/members.cuh"

constexpr int kUnits = 4;
#include "blocks/warp_rows.cuh"

extern "C" __global__ void __launch_bounds__(kThreads) place_rows(const int* __restrict__ experts, int* __restrict__ place,
                                                                   int* __restrict__ sorted_experts, long long T, long long K) {
  __shared__ int warps[kWarps];
  const int own = blockIdx.x;
  int before = 0;
#pragma unroll 8
  for (long long i = threadIdx.x; i < T * K; i += kThreads) before += experts[i] < own;
  before = __reduce_add_sync(kAll, before);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = before;
  __syncthreads();
  before = __reduce_add_sync(kAll, warps[threadIdx.x % 32]);
  each_member(experts, T * K, own, [&](long long i, long long rank) {
    const long long at = before + rank, t = i / K;
    place[(i - t * K) * T + t] = (int)at;
    sorted_experts[at] = own;
  });
}

template <class Unit>
__device__ void copy(const float* __restrict__ x, const int* __restrict__ place, float* __restrict__ rows, long long T, long long D,
                     long long K) {
  for (long long d = Piece<Unit>::begin(); d < D; d += Piece<Unit>::step()) {
    Piece<Unit> piece(d, D);
    piece.load(x);
#pragma unroll 4
    for (long long k = 0; k < K; ++k) piece.store(rows + place[k * T] * D);
  }
}

extern "C" __global__ void copy_rows(const float* __restrict__ x, const int* __restrict__ place, float* __restrict__ rows, long long T,
                                     long long D, long long K) {
  const long long t = row_of_warp();
  if (t >= T) return;
  if (D % 4 == 0) copy<float4>(x + t * D, place + t, rows, T, D, K);
  else copy<float>(x + t * D, place + t, rows, T, D, K);
}
