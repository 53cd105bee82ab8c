// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel expand grid [div_up(div_up(N, 4), 256)] block [256] (x, y, N, R)
*/
// A thread has four neighbouring exponentials, which it stores in all rows, together where rows are a multiple of four.
extern "C" __global__ void expand(const float* __restrict__ x, float* __restrict__ y, long long N, long long R) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (N % 4 == 0) {
    if (i >= N) return;
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    const float4 power = make_float4(expf(v.x), expf(v.y), expf(v.z), expf(v.w));
    for (long long r = 0; r < R; ++r) *reinterpret_cast<float4*>(y + r * N + i) = power;
    return;
  }
  for (long long k = i; k < min(i + 4, N); ++k) {
    const float power = expf(x[k]);
    for (long long r = 0; r < R; ++r) y[r * N + k] = power;
  }
}
