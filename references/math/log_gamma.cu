// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel logarithm grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer. From 3 on Stirling's series, in which, written as here, nothing
// cancels; below a polynomial times (x - 1) (x - 2). Below 1 that is taken at x + 1, and log(x) subtracted.

// log_gamma(2 + v) / ((v + 1) v) for |v| <= 1, fitted for the smallest relative error.
__device__ float over_zeros(float v) {
  constexpr float c[] = {-3.8883118e-05f, 7.8262325e-05f, -5.2045918e-05f, 0.00013043285f, -0.0004259084f, 0.0009444562f,
                         -0.0021019303f,  0.0049915095f,  -0.012384996f,   0.03296563f,    -0.10031727f,   0.42278433f};
  float p = c[0];
#pragma unroll
  for (int k = 1; k < 12; ++k) p = p * v + c[k];
  return p;
}

__device__ float stirling(float x, float logarithm) {
  const float q = __frcp_rn(x), r = q * q;
  const float series = q * (1.0f / 12 - r * (1.0f / 360 - r * (1.0f / 1260 - r * (1.0f / 1680 - r * (1.0f / 1188)))));
  return (x - 0.5f) * (logarithm - 1) + 0.41893853f + series;
}

__device__ float logarithm_of(float x) {
  const float logarithm = logf(x);
  if (!(x < 3)) return stirling(x, logarithm);
  const float v = x < 1 ? x - 1 : x - 2, above = x < 1 ? x : x - 1;  // of x + 1 where x is below 1
  return above * v * over_zeros(v) - (x < 1 ? logarithm : 0);
}

extern "C" __global__ void logarithm(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(logarithm_of(v.x), logarithm_of(v.y), logarithm_of(v.z), logarithm_of(v.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = logarithm_of(x[k]);
}
