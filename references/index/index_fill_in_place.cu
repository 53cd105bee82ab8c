// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel fill_rows grid [div_up(K, 8)] block [256] (x, index, value, K, C)
*/
// A warp fills a row, four numbers at a time where rows are a multiple of that. Two that fill the same row write the same.

extern "C" __global__ void fill_rows(float* __restrict__ x, const long long* __restrict__ index, const float* __restrict__ value,
                                     long long K, long long C) {
  const long long row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= K) return;
  const float v = *value;
  float* to = x + index[row] * C;
  if (C % 4 == 0) {
    for (long long u = threadIdx.x % 32; u < C / 4; u += 32) reinterpret_cast<float4*>(to)[u] = make_float4(v, v, v, v);
    return;
  }
  for (long long c = threadIdx.x % 32; c < C; c += 32) to[c] = v;
}
