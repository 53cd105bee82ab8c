// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve grid [div_up(B, max(1, 1024 / N - 1))] block [256]
                   shared [8 * (2 * round_up(N * (max(1, 1024 / N - 1) + 1), 16) + N)] (x, h, y, B, int(N), int(max(1, 1024 / N - 1)))
*/
// By spectra: those of a block's rows times that of the filter, which follows the rows, transformed back. The way back is the way there
// between conjugates.
#include "blocks/fourier.cuh"

extern "C" __global__ void __launch_bounds__(kThreads)
    convolve(const float* __restrict__ x, const float* __restrict__ h, float* __restrict__ y, int64_t B, int N, int rows_of_block) {
  extern __shared__ float4 room[];
  Fourier fourier(room, (N * (rows_of_block + 1) + 15) / 16 * 16, N, 1);
  const int64_t first = blockIdx.x * (int64_t)rows_of_block;
  const int rows = (int)min(B - first, (int64_t)rows_of_block), count = rows * N;
  const Numbers in = fourier.numbers();
  for (int e = threadIdx.x; e < count + N; e += kThreads) in[e] = make_float2(e < count ? x[first * N + e] : h[e - count], 0);
  fourier.transform(rows + 1);
  const Numbers spectra = fourier.numbers();
  for (int e = threadIdx.x; e < count; e += kThreads) spectra[e] = conjugate(times(spectra[e], spectra[count + e % N]));
  fourier.transform(rows);
  const Numbers out = fourier.numbers();
  const float scale = 1 / (float)N;
  for (int e = threadIdx.x; e < count; e += kThreads) y[first * N + e] = scale * out[e].x;
}
