// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel transform_rows grid [div_up(B * C, max(1, 1024 / N))] block [256] shared [8 * (2 * round_up(N * max(1, 1024 / N), 16) + 2 * N)]
                         (x, real_part, imaginary_part, long(B * C), int(N), int(max(1, 1024 / N)))
*/
// Even and odd elements of the 2 N are the parts of N complex numbers, whose transform Z has the spectra of both: E of the even ones is
// (Z[k] + conj Z[N - k]) / 2, O of the odd ones (Z[k] - conj Z[N - k]) / 2i, and E + w O the result (w is the k-th root of unity).
#include "blocks/fourier.cuh"

extern "C" __global__ void __launch_bounds__(kThreads)
    transform_rows(const float* __restrict__ x, float* __restrict__ real_part, float* __restrict__ imaginary_part, int64_t all_rows, int N,
                   int rows_of_block) {
  extern __shared__ float4 room[];
  Fourier fourier(room, (N * rows_of_block + 15) / 16 * 16, N, 2);
  const int64_t first = blockIdx.x * (int64_t)rows_of_block;
  const int rows = (int)min(all_rows - first, (int64_t)rows_of_block), bins = N + 1;
  const Numbers in = fourier.numbers();
  x += first * N;
  for (int e = threadIdx.x; e < rows * N; e += kThreads) {
    const int row = e / N, j = 2 * (e - row * N);
    const float* from = x + row * N + j;
    in[e] = make_float2(j < N ? from[0] : 0, j + 1 < N ? from[1] : 0);
  }
  fourier.transform(rows);
  const Numbers z = fourier.numbers();
  const float scale = 0.5f / (float)N;
  real_part += first * bins;
  imaginary_part += first * bins;
  for (int e = threadIdx.x; e < rows * bins; e += kThreads) {
    const int row = e / bins, k = e - row * bins, zeroth = row * N;
    const float2 here = z[zeroth + (k < N ? k : 0)], there = conjugate(z[zeroth + (k > 0 ? N - k : 0)]);
    const float2 even = make_float2(0.5f * here.x + 0.5f * there.x, 0.5f * here.y + 0.5f * there.y);
    const float2 odd = make_float2(0.5f * here.y - 0.5f * there.y, 0.5f * there.x - 0.5f * here.x);
    const float2 sum = plus(even, times(odd, fourier.root(k)));
    real_part[e] = scale * sum.x;
    imaginary_part[e] = scale * sum.y;
  }
}
