// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel turn_back grid [div_up(div_up(B * T * E, 4), 256)] block [256] (cosine_gradient, sine_gradient, angles, angle_gradient, long(B * T * E))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer.
__device__ float gradient(float of_cosine, float of_sine, float angle) {
  float sine, cosine;
  sincosf(angle, &sine, &cosine);
  return of_sine * cosine - of_cosine * sine;
}

extern "C" __global__ void __launch_bounds__(256)
    turn_back(const float* __restrict__ of_cosines, const float* __restrict__ of_sines, const float* __restrict__ angles,
              float* __restrict__ gradients, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 c = *reinterpret_cast<const float4*>(of_cosines + i), s = *reinterpret_cast<const float4*>(of_sines + i);
    const float4 a = *reinterpret_cast<const float4*>(angles + i);
    *reinterpret_cast<float4*>(gradients + i) =
        make_float4(gradient(c.x, s.x, a.x), gradient(c.y, s.y, a.y), gradient(c.z, s.z, a.z), gradient(c.w, s.w, a.w));
    return;
  }
  for (long long k = i; k < count; ++k) gradients[k] = gradient(of_cosines[k], of_sines[k], angles[k]);
}
