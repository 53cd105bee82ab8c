// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel trigamma grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer. The recurrence leads to where the asymptotic series has more
// digits than float.
__device__ float trigamma_of(float number) {
  double x = number, sum = 0;
  for (int i = 0; i < 8 && x < 8; ++i, x += 1) sum += 1 / (x * x);
  const double f = 1 / (x * x);
  return (float)(sum + 0.5 * f + (1 + f * (1 / 6.0 - f * (1 / 30.0 - f * (1 / 42.0 - f / 30)))) / x);
}

extern "C" __global__ void trigamma(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(trigamma_of(v.x), trigamma_of(v.y), trigamma_of(v.z), trigamma_of(v.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = trigamma_of(x[k]);
}
