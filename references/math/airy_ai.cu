// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel airy grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer. Both Maclaurin series have enough terms for numbers up to 5,
// where their difference still has nine digits in double.
__device__ float airy_of(float number) {
  const double x = number, cube = x * x * x;
  double term = 0.35502805388781723926, other = 0.25881940379280679841 * x, sum = term - other;
#pragma unroll
  for (int k = 0; k < 24; ++k) {
    term *= cube * (1.0 / ((3 * k + 2) * (3 * k + 3)));
    other *= cube * (1.0 / ((3 * k + 3) * (3 * k + 4)));
    sum += term - other;
  }
  return (float)sum;
}

extern "C" __global__ void airy(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(airy_of(v.x), airy_of(v.y), airy_of(v.z), airy_of(v.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = airy_of(x[k]);
}
