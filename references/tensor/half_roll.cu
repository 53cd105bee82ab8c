// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel roll grid [div_up(div_up(N, 4), 256)] block [256] (x, y, N)
*/
// A thread writes four neighbouring numbers; those of the last one may be fewer. They are read together where they lie so.
extern "C" __global__ void roll(const float* __restrict__ x, float* __restrict__ y, long long N) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  long long from = i + N / 2;
  if (from >= N) from -= N;
  if (i + 4 <= N && from + 4 <= N) {
    float4 v;
    if (from % 4 == 0) v = *reinterpret_cast<const float4*>(x + from);
    else v = make_float4(x[from], x[from + 1], x[from + 2], x[from + 3]);
    *reinterpret_cast<float4*>(y + i) = v;
    return;
  }
  for (long long k = i; k < min(i + 4, N); ++k) {
    y[k] = x[from];
    if (++from == N) from = 0;
  }
}
