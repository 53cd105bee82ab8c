// SPDX-License-Identifier: Apache-2.0
// All columns of a matrix at once, then all its rows, which a transposition has made columns.
#include "blocks/fourier.h"

#include <vector>

#include "kernel.h"

namespace {

void transpose(const std::vector<float>& x, std::vector<float>& y, int64_t rows, int64_t columns) {
  constexpr int64_t tile = 16;
  for (int64_t first = 0; first < rows; first += tile)
    for (int64_t c = 0; c < columns; ++c)
      for (int64_t r = first; r < rows && r < first + tile; ++r) y[c * rows + r] = x[r * columns + c];
}

}  // namespace

void fourier_transform_2d(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  const blocks::Numbers of_columns = blocks::roots_of_unity(M), of_rows = blocks::roots_of_unity(N);
#pragma omp parallel
  {
    blocks::Numbers a(M * N), b(M * N);
#pragma omp for schedule(static)
    for (int64_t matrix = 0; matrix < B; ++matrix) {
      const float* in = x + 2 * matrix * M * N;
      float* out = y + 2 * matrix * M * N;
      for (int64_t i = 0; i < M * N; ++i) a.real[i] = in[2 * i], a.imaginary[i] = in[2 * i + 1];
      blocks::transform(a, b, M, N, of_columns);
      transpose(a.real, b.real, M, N);
      transpose(a.imaginary, b.imaginary, M, N);
      blocks::transform(b, a, N, M, of_rows);
      transpose(b.real, a.real, N, M);
      transpose(b.imaginary, a.imaginary, N, M);
      for (int64_t i = 0; i < M * N; ++i) out[2 * i] = a.real[i], out[2 * i + 1] = a.imaginary[i];
    }
  }
}
