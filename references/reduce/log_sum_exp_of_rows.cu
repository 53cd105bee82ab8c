// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: float[2 * N * max(1, min(C / 2048, 1024 / N))]
   kernel log_sum_exp grid [N, max(1, min(C / 2048, 1024 / N))] block [256] (x, y, part, C)
   kernel join_pieces grid [max(1, N * min(max(1, min(C / 2048, 1024 / N)) - 1, 1))] block [256] (y, part, int(max(1, min(C / 2048, 1024 / N))))
*/
// The second kernel is of rows in pieces alone. What is above an infinite largest number is Inf or 0, and none of it Inf - Inf.
#include "blocks/rows.cuh"

extern "C" __global__ void __launch_bounds__(kThreads) log_sum_exp(const float* __restrict__ x, float* __restrict__ y,
                                                                   float* __restrict__ part, long long C) {
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
