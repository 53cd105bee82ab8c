// SPDX-License-Identifier: Apache-2.0
// Some columns of a matrix at a time, then some of its rows, which a transposition has made columns: they stay in the
// first-level cache.
#include "blocks/fourier.h"
#include "blocks/transpose.h"

#include <algorithm>

#include "kernel.h"

namespace {

constexpr int64_t tile = blocks::kTile;

int64_t in_tiles(int64_t n) { return (n + tile - 1) / tile * tile; }

void transpose(const float* x, int64_t x_stride, float* y, int64_t y_stride, int64_t rows) {
  for (int64_t i = 0; i < rows; i += tile) blocks::transpose_tile(x + i * x_stride, x_stride, y + i, y_stride);
}

}  // namespace

void fourier_transform_2d(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  const blocks::Numbers of_columns = blocks::roots_of_unity(M), of_rows = blocks::roots_of_unity(N);
  const int64_t height = in_tiles(M), width = in_tiles(N);
#pragma omp parallel
  {
    blocks::Numbers a(std::max(height, width) * tile), b(std::max(height, width) * tile), turned(width * height);
#pragma omp for schedule(static)
    for (int64_t matrix = 0; matrix < B; ++matrix) {
      const float* in = x + 2 * matrix * M * N;
      float* out = y + 2 * matrix * M * N;
      for (int64_t n = 0; n < N; n += tile) {
        const int64_t count = std::min(tile, N - n);
        for (int64_t m = 0; m < M; ++m)
          for (int64_t i = 0; i < count; ++i) {
            a.real[m * tile + i] = in[2 * (m * N + n + i)];
            a.imaginary[m * tile + i] = in[2 * (m * N + n + i) + 1];
          }
        blocks::transform(a, b, M, tile, of_columns);
        transpose(a.real.data(), tile, &turned.real[n * height], height, M);
        transpose(a.imaginary.data(), tile, &turned.imaginary[n * height], height, M);
      }
      for (int64_t m = 0; m < M; m += tile) {
        for (int64_t n = 0; n < N; ++n) {
          std::copy_n(&turned.real[n * height + m], tile, &a.real[n * tile]);
          std::copy_n(&turned.imaginary[n * height + m], tile, &a.imaginary[n * tile]);
        }
        blocks::transform(a, b, N, tile, of_rows);
        transpose(a.real.data(), tile, b.real.data(), width, N);
        transpose(a.imaginary.data(), tile, b.imaginary.data(), width, N);
        for (int64_t i = 0; i < std::min(tile, M - m); ++i)
          for (int64_t n = 0; n < N; ++n) {
            out[2 * ((m + i) * N + n)] = b.real[i * width + n];
            out[2 * ((m + i) * N + n) + 1] = b.imaginary[i * width + n];
          }
      }
    }
  }
}
