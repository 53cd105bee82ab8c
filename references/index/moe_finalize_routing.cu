// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel finalize grid [div_up(T, 8), min(div_up(D, 512), 65535)] block [256]
     (rows, skip1, skip2, bias, scales, places, experts, y, T, K, D)
*/
constexpr int kUnits = 4;
#include "blocks/warp_rows.cuh"

template <class Unit>
__device__ void add_choices(const float* __restrict__ rows, const float* __restrict__ skip1, const float* __restrict__ skip2,
                            const float* __restrict__ bias, const float* __restrict__ scales, const int* __restrict__ places,
                            const int* __restrict__ experts, float* __restrict__ y, long long T, long long K, long long D) {
  for (long long d = Piece<Unit>::begin(); d < D; d += Piece<Unit>::step()) {
    Piece<Unit> piece(d, D);
    piece.load(skip1);
    piece.add(1, skip2);
#pragma unroll 2
    for (long long k = 0; k < K; ++k) {
      Piece<Unit> shifted(d, D);
      shifted.load(rows + places[k * T] * D);
      shifted.add(1, bias + experts[k] * D);
      piece.add(scales[k], shifted);
    }
    piece.store(y);
  }
}

extern "C" __global__ void finalize(const float* __restrict__ rows, const float* __restrict__ skip1, const float* __restrict__ skip2,
                                    const float* __restrict__ bias, const float* __restrict__ scales, const int* __restrict__ places,
                                    const int* __restrict__ experts, float* __restrict__ y, long long T, long long K, long long D) {
  const long long t = row_of_warp();
  if (t >= T) return;
  skip1 += t * D;
  skip2 += t * D;
  scales += t * K;
  places += t;
  experts += t * K;
  y += t * D;
  if (D % 4 == 0) add_choices<float4>(rows, skip1, skip2, bias, scales, places, experts, y, T, K, D);
  else add_choices<float>(rows, skip1, skip2, bias, scales, places, experts, y, T, K, D);
}
