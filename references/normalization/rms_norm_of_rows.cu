// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N] block [512] (x, weight, y, C)
*/
// A block has a row, whose numbers stay in registers as far as there are enough of them.
constexpr int kThreads = 512, kNumbers = 16;
#include "blocks/rows.cuh"

template <class F>
__device__ float map(float v, float w, F f) {
  return f(v, w);
}
template <class F>
__device__ float4 map(float4 v, float4 w, F f) {
  return make_float4(f(v.x, w.x), f(v.y, w.y), f(v.z, w.z), f(v.w, w.w));
}

template <class Unit>
__device__ void normalise_row(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y, long long C) {
  const Row<Unit> row(x, C);
  float squares = 0;
  row.each([&](long long, Unit v) { each_number(v, [&](float number) { squares += number * number; }); });
  const float root = sqrtf(sum_of_block(squares) / C + 1e-6f);
  row.each([&](long long u, Unit v) {
    const Unit factor = reinterpret_cast<const Unit*>(weight)[u];
    reinterpret_cast<Unit*>(y)[u] = map(v, factor, [&](float number, float w) { return number / root * w; });
  });
}

extern "C" __global__ void __launch_bounds__(kThreads)
    normalise(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y, long long C) {
  x += blockIdx.x * C;
  y += blockIdx.x * C;
  if (C % 4 == 0) normalise_row<float4>(x, weight, y, C);
  else normalise_row<float>(x, weight, y, C);
}
