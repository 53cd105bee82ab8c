// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N * C, min(div_up(L, 1024), 65535)] block [256] (x, mean, variance, scale, bias, y, C, L)
*/
// A block has a channel of a sample, or parts of it, four numbers at a time where channels are a multiple of that.
#include <stdint.h>

__device__ float activated(float z) {
  const float v = 0.16666667f * z + 0.5f;
  return v < 0 ? 0 : v > 1 ? 1 : v;
}
__device__ float normalised(float x, float centre, float factor, float shift) { return activated((x - centre) * factor + shift); }
__device__ float4 normalised(float4 x, float centre, float factor, float shift) {
  return make_float4(normalised(x.x, centre, factor, shift), normalised(x.y, centre, factor, shift), normalised(x.z, centre, factor, shift),
                     normalised(x.w, centre, factor, shift));
}

template <class Unit>
__device__ void normalise_channel(const float* __restrict__ x, float* __restrict__ y, float centre, float factor, float shift,
                                  int64_t units) {
  for (int64_t u = blockIdx.y * 256ll + threadIdx.x; u < units; u += gridDim.y * 256ll)
    reinterpret_cast<Unit*>(y)[u] = normalised(reinterpret_cast<const Unit*>(x)[u], centre, factor, shift);
}

extern "C" __global__ void normalise(const float* __restrict__ x, const float* __restrict__ mean, const float* __restrict__ variance,
                                     const float* __restrict__ scale, const float* __restrict__ bias, float* __restrict__ y, int64_t C,
                                     int64_t L) {
  const int64_t c = blockIdx.x % C;
  const float factor = scale[c] / sqrtf(variance[c] + 1e-5f), centre = mean[c], shift = bias[c];
  x += blockIdx.x * L;
  y += blockIdx.x * L;
  if (L % 4 == 0) normalise_channel<float4>(x, y, centre, factor, shift, L / 4);
  else normalise_channel<float>(x, y, centre, factor, shift, L);
}
