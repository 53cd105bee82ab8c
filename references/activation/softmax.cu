// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: float[2 * N * max(1, min(C / 2048, 1024 / N))]
   kernel softmax grid [N, max(1, min(C / 2048, 1024 / N))] block [256] (x, y, part, C)
   kernel store_pieces grid [max(1, N * min(max(1, min(C / 2048, 1024 / N)) - 1, 1)), max(1, min(C / 2048, 1024 / N))] block [256] (x, y, part, C)
*/
// The second kernel is of rows in pieces alone.
#include "blocks/rows.cuh"

template <class Unit>
__device__ void store(const Row<Unit>& row, float* __restrict__ y, Exponentials found) {
  const float base = found.base, sum = found.sum;
  row.each([&](long long u, Unit v) { reinterpret_cast<Unit*>(y)[u] = map(v, [&](float number) { return expf(number - base) / sum; }); });
}

template <class Unit>
__device__ void first_pass(const float* __restrict__ x, float* __restrict__ y, float2* __restrict__ part, long long length) {
  const Row<Unit> row(x, length);
  const Exponentials found = exponentials_of(row, false);
  if (gridDim.y == 1) store(row, y, found);
  else if (threadIdx.x == 0) *part = make_float2(found.top, found.sum);
}

extern "C" __global__ void __launch_bounds__(kThreads) softmax(const float* __restrict__ x, float* __restrict__ y,
                                                              float* __restrict__ part, long long C) {
  const Piece piece(C);
  x += blockIdx.x * C + piece.begin;
  y += blockIdx.x * C + piece.begin;
  float2* to = reinterpret_cast<float2*>(part) + blockIdx.x * gridDim.y + blockIdx.y;
  if (C % 4 == 0) first_pass<float4>(x, y, to, piece.length);
  else first_pass<float>(x, y, to, piece.length);
}

extern "C" __global__ void __launch_bounds__(kThreads) store_pieces(const float* __restrict__ x, float* __restrict__ y,
                                                                    const float* __restrict__ part, long long C) {
  if (gridDim.y == 1) return;
  const Piece piece(C);
  x += blockIdx.x * C + piece.begin;
  y += blockIdx.x * C + piece.begin;
  const Exponentials found = joined(reinterpret_cast<const float2*>(part) + blockIdx.x * gridDim.y, gridDim.y, false);
  if (C % 4 == 0) store(Row<float4>(x, piece.length), y, found);
  else store(Row<float>(x, piece.length), y, found);
}
