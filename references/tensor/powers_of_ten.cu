// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel raise grid [div_up(N, 256)] block [256] (first, last, y, N)
*/
// In double: the error of an exponent in float is a multiple of the power's.
extern "C" __global__ void raise(const float* __restrict__ first, const float* __restrict__ last, float* __restrict__ y, long long N) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= N) return;
  const double begin = *first, length = *last - begin;
  y[i] = (float)exp10(begin + length * ((double)i / (N - 1)));
}
