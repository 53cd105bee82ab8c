// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel zeta grid [div_up(div_up(N * C, 4), 256)] block [256] (x, q, y, long(N * C))
*/
// A thread has four neighbouring results; those of the last one may be fewer. The rest of the sum, behind its first terms, is that of Euler
// and Maclaurin, in double. All terms are positive, so float will do for each but the first and the rest.
constexpr int kTerms = 8;

__device__ float zeta_of(float exponent, float q) {
  const double x = exponent, a = (double)q + kTerms, tail = pow(a, -x), f = 1 / (a * a);
  double sum = pow((double)q, -x);
  for (int k = 1; k < kTerms; ++k) sum += powf(k + q, -exponent);
  // The Bernoulli numbers of 2, 4, 6 and 8 over their factorials, with rising powers of x.
  const double second = x / 12, fourth = -x * (x + 1) * (x + 2) / 720, sixth = -fourth * (x + 3) * (x + 4) / 42;
  const double eighth = -sixth * (x + 5) * (x + 6) / 40;
  return (float)(sum + tail * (a / (x - 1) + 0.5 + (second + f * (fourth + f * (sixth + f * eighth))) / a));
}

extern "C" __global__ void zeta(const float* __restrict__ x, const float* __restrict__ q, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i), w = *reinterpret_cast<const float4*>(q + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(zeta_of(v.x, w.x), zeta_of(v.y, w.y), zeta_of(v.z, w.z), zeta_of(v.w, w.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = zeta_of(x[k], q[k]);
}
