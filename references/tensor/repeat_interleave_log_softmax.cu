// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: float[2 * N * max(1, min(C / 2048, 1024 / N))]
   kernel log_softmax  grid [N, max(1, min(C / 2048, 1024 / N))] block [256] (x, y, part, C, R)
   kernel store_pieces grid [max(1, N * min(max(1, min(C / 2048, 1024 / N)) - 1, 1)), max(1, min(C / 2048, 1024 / N))] block [256] (x, y, part, C, R)
*/
// The second kernel is of rows in pieces alone. Neighbouring threads store neighbouring results, which come from the same number.
#include "blocks/quotient.cuh"
#include "blocks/exponentials.cuh"

__device__ void store(const float* __restrict__ x, float* __restrict__ y, Exponentials found, long long length, long long R) {
  const float logarithm = logf(found.sum * R);
  for (long long k = threadIdx.x; k < R * length; k += kThreads) y[k] = (x[quotient(k, R)] - found.base) - logarithm;
}

extern "C" __global__ void __launch_bounds__(kThreads) log_softmax(const float* __restrict__ x, float* __restrict__ y,
                                                                   float* __restrict__ part, long long C, long long R) {
  const Piece piece(C);
  x += blockIdx.x * C + piece.begin;
  y += (blockIdx.x * C + piece.begin) * R;
  const Exponentials found =
      C % 4 == 0 ? exponentials_of(Row<float4>(x, piece.length), false) : exponentials_of(Row<float>(x, piece.length), false);
  if (gridDim.y == 1) store(x, y, found, piece.length, R);
  else if (threadIdx.x == 0) reinterpret_cast<float2*>(part)[blockIdx.x * gridDim.y + blockIdx.y] = make_float2(found.top, found.sum);
}

extern "C" __global__ void __launch_bounds__(kThreads) store_pieces(const float* __restrict__ x, float* __restrict__ y,
                                                                    const float* __restrict__ part, long long C, long long R) {
  if (gridDim.y == 1) return;
  const Piece piece(C);
  x += blockIdx.x * C + piece.begin;
  y += (blockIdx.x * C + piece.begin) * R;
  store(x, y, joined(reinterpret_cast<const float2*>(part) + blockIdx.x * gridDim.y, gridDim.y, false), piece.length, R);
}
