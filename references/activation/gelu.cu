// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel gelu grid [div_up(div_up(N * C, 4), 256)] block [256] (x, y, long(N * C))
*/
// A thread has four neighbouring numbers; those of the last one may be fewer. The error function of the tails, by an approximation that is
// right to seven digits wherever it is taken (Press et al., Numerical Recipes, 6.2): 1 + erff would be as slow as erfcf.
__device__ float gelu_of(float x) {
  const float z = 0.7071067811865476f * fabsf(x), t = 1 / (1 + 0.5f * z);
  constexpr float c[] = {0.17087277f, -0.82215223f, 1.48851587f, -1.13520398f, 0.27886807f, -0.18628806f, 0.09678418f, 0.37409196f, 1.00002368f,
                         -1.26551223f};
  float p = c[0];
#pragma unroll
  for (int k = 1; k < 10; ++k) p = p * t + c[k];
  const float tail = 0.5f * t * __expf(p - z * z);
  return x * (x < 0 ? tail : 1 - tail);
}

extern "C" __global__ void gelu(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(gelu_of(v.x), gelu_of(v.y), gelu_of(v.z), gelu_of(v.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = gelu_of(x[k]);
}
