// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(P - 1, 8), min(div_up(D, 128), 65535)] block [256] (row_pointers, columns, values, b, y, long(P - 1), D)
*/
// A warp has a row, and up to 128 of its sums: four for each lane, side by side where rows of b are a multiple of four.
#include <stdint.h>

extern "C" __global__ void multiply(const int64_t* __restrict__ row_pointers, const int64_t* __restrict__ columns,
                                    const float* __restrict__ values, const float* __restrict__ b, float* __restrict__ y, int64_t rows,
                                    int64_t D) {
  const int64_t row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= rows) return;
  const int lane = threadIdx.x % 32;
  const int64_t begin = row_pointers[row], end = row_pointers[row + 1];
  for (int64_t d0 = blockIdx.y * 128ll; d0 < D; d0 += gridDim.y * 128ll) {
    if (D % 4 == 0) {
      const int64_t d = d0 + lane * 4;
      if (d >= D) break;
      float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 4
      for (int64_t e = begin; e < end; ++e) {
        const float factor = values[e];
        const float4 v = *reinterpret_cast<const float4*>(b + columns[e] * D + d);
        sum = make_float4(fmaf(factor, v.x, sum.x), fmaf(factor, v.y, sum.y), fmaf(factor, v.z, sum.z), fmaf(factor, v.w, sum.w));
      }
      *reinterpret_cast<float4*>(y + row * D + d) = sum;
      continue;
    }
    float sum[4] = {};
    for (int64_t e = begin; e < end; ++e) {
      const float factor = values[e];
      const float* from = b + columns[e] * D + d0 + lane;
      for (int i = 0; i < 4; ++i)
        if (d0 + lane + i * 32 < D) sum[i] = fmaf(factor, from[i * 32], sum[i]);
    }
    for (int i = 0; i < 4; ++i)
      if (d0 + lane + i * 32 < D) y[row * D + d0 + lane + i * 32] = sum[i];
  }
}
