// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel digamma grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer. The recurrence leads to where the asymptotic series is as
// good as double, in which all is computed: the function has a zero. What the recurrence sums is one fraction, so one division does.
__device__ float digamma_of(float number) {
  double x = number, above = 0, below = 1;
  if (x < 8)
    for (int i = 0; i < 8; ++i, x += 1) {
      above = above * x + below;
      below *= x;
    }
  const double shared = 1 / (x * below), r = shared * below, f = r * r;
  return (float)(log(x) - above * x * shared - 0.5 * r - f * (1 / 12.0 - f * (1 / 120.0 - f * (1 / 252.0 - f * (1 / 240.0 - f / 132)))));
}

extern "C" __global__ void digamma(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(digamma_of(v.x), digamma_of(v.y), digamma_of(v.z), digamma_of(v.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = digamma_of(x[k]);
}
