// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel transform_rows grid [div_up(B, max(1, 1024 / N))] block [256] shared [8 * (2 * round_up(N * max(1, 1024 / N), 16) + N)]
                         (x, y, B, int(N), int(max(1, 1024 / N)))
*/
#include "blocks/fourier.cuh"

extern "C" __global__ void __launch_bounds__(kThreads)
    transform_rows(const float2* __restrict__ x, float2* __restrict__ y, int64_t B, int N, int rows_of_block) {
  extern __shared__ float4 room[];
  Fourier fourier(room, (N * rows_of_block + 15) / 16 * 16, N, 1);
  const int64_t first = blockIdx.x * (int64_t)rows_of_block;
  const int rows = (int)min(B - first, (int64_t)rows_of_block);
  const Numbers in = fourier.numbers();
  for (int e = threadIdx.x; e < rows * N; e += kThreads) in[e] = x[first * N + e];
  fourier.transform(rows);
  const Numbers out = fourier.numbers();
  for (int e = threadIdx.x; e < rows * N; e += kThreads) y[first * N + e] = out[e];
}
