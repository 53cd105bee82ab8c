// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel combine grid [div_up(T, 8), min(div_up(D, 512), 65535)] block [256] (buffer, experts, slots, weights, y, C, D, T, K)
*/
constexpr int kUnits = 4;
#include "blocks/warp_rows.cuh"

template <class Unit>
__device__ void add_choices(const float* __restrict__ buffer, const long long* __restrict__ experts, const long long* __restrict__ slots,
                            const float* __restrict__ weights, float* __restrict__ y, long long C, long long D, long long K) {
  for (long long d = Piece<Unit>::begin(); d < D; d += Piece<Unit>::step()) {
    Piece<Unit> piece(d, D);
#pragma unroll 2
    for (long long k = 0; k < K; ++k) {
      const long long slot = slots[k], row = experts[k] * C + slot;
      const float weight = weights[k];
      if (slot >= 0) piece.add(weight, buffer + row * D);
    }
    piece.store(y);
  }
}

extern "C" __global__ void combine(const float* __restrict__ buffer, const long long* __restrict__ experts,
                                   const long long* __restrict__ slots, const float* __restrict__ weights, float* __restrict__ y,
                                   long long C, long long D, long long T, long long K) {
  const long long t = row_of_warp();
  if (t >= T) return;
  if (D % 4 == 0) add_choices<float4>(buffer, experts + t * K, slots + t * K, weights + t * K, y + t * D, C, D, K);
  else add_choices<float>(buffer, experts + t * K, slots + t * K, weights + t * K, y + t * D, C, D, K);
}
