// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N] block [256] (x, y, C)
*/
// A block has a row, whose numbers stay in registers as far as there are enough of them.
constexpr int kThreads = 256, kNumbers = 16;
#include "blocks/rows.cuh"

template <class Unit>
__device__ void normalise_row(const float* __restrict__ x, float* __restrict__ y, long long C) {
  const Row<Unit> row(x, C);
  float squares = 0;
  row.each([&](long long, Unit v) { each_number(v, [&](float number) { squares += number * number; }); });
  const float norm = sqrtf(sum_of_block(squares));
  row.each([&](long long u, Unit v) { reinterpret_cast<Unit*>(y)[u] = map(v, [&](float number) { return number / norm; }); });
}

extern "C" __global__ void __launch_bounds__(kThreads) normalise(const float* __restrict__ x, float* __restrict__ y, long long C) {
  x += blockIdx.x * C;
  y += blockIdx.x * C;
  if (C % 4 == 0) normalise_row<float4>(x, y, C);
  else normalise_row<float>(x, y, C);
}
