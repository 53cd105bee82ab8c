// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(N, 32), div_up(M, 8)] block [32, 8] (a, b, y, M, K, N)
*/
// A thread has an element, and sums in float32. The threads of a warp share an element of a and a row of b.
#include "kernel.h"

extern "C" __global__ void multiply(const float16* __restrict__ a, const float16* __restrict__ b, float16* __restrict__ y, int64_t M,
                                    int64_t K, int64_t N) {
  const int64_t n = blockIdx.x * 32ll + threadIdx.x, m = blockIdx.y * 8ll + threadIdx.y;
  if (m >= M || n >= N) return;
  float sum = 0;
  for (int64_t k = 0; k < K; ++k) sum = fmaf(__half2float(a[m * K + k]), __half2float(b[k * N + n]), sum);
  y[m * N + n] = __float2half_rn(sum);
}
