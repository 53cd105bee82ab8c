// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel logarithm grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer. Stirling's series, for numbers below 8 that of the number 8
// further on; in double, because the logarithm is zero at 1 and at 2.
__device__ float logarithm_of(float number) {
  if (!(number > 0 && number < 1e30f)) return lgammaf(number);
  double x = number, product = 1;
  if (x < 8)
    for (int i = 0; i < 8; ++i, x += 1) product *= x;
  const double r = 1 / x, f = r * r;
  const double rest = r * (1 / 12.0 - f * (1 / 360.0 - f * (1 / 1260.0 - f * (1 / 1680.0 - f * (1 / 1188.0 - f * (691 / 360360.0))))));
  return (float)((x - 0.5) * log(x) - x + 0.91893853320467274178 + rest - (product != 1 ? log(product) : 0));  // half of log(2 pi)
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
