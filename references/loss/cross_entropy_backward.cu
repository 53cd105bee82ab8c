// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel backward grid [N] block [256] (x, target, dx, N, C)
*/
#include "blocks/exponentials.cuh"

// Takes 1 from the number at a place of a unit, where the unit has that place.
__device__ float marked(float p, long long at) { return at == 0 ? p - 1 : p; }
__device__ float4 marked(float4 p, long long at) {
  return make_float4(marked(p.x, at), marked(p.y, at - 1), marked(p.z, at - 2), marked(p.w, at - 3));
}

// A block has a row.
template <class Unit>
__device__ void backward_of_row(const float* __restrict__ x, long long target, float* __restrict__ dx, long long N, long long C) {
  const Row<Unit> row(x, C);
  const Exponentials found = exponentials_of(row, false);
  const float factor = 1 / found.sum, share = 1 / (float)N;
  row.each([&](long long u, Unit v) {
    const Unit p = map(v, [&](float number) { return expf(number - found.base) * factor; });
    reinterpret_cast<Unit*>(dx)[u] = map(marked(p, target - u * Row<Unit>::kEach), [&](float difference) { return difference * share; });
  });
}

extern "C" __global__ void __launch_bounds__(kThreads)
    backward(const float* __restrict__ x, const long long* __restrict__ target, float* __restrict__ dx, long long N, long long C) {
  x += blockIdx.x * C;
  dx += blockIdx.x * C;
  if (C % 4 == 0) backward_of_row<float4>(x, target[blockIdx.x], dx, N, C);
  else backward_of_row<float>(x, target[blockIdx.x], dx, N, C);
}
