// SPDX-License-Identifier: Apache-2.0
// All assignments first, since their normalisation needs all descriptors; then image by image.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

// Each column by its mean and variance, then the softmax of each row.
void assign(std::vector<float>& x, const float* scale, const float* shift, int64_t rows, int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < columns; ++c) {
    double sum = 0, squares = 0;
    for (int64_t r = 0; r < rows; ++r) sum += x[r * columns + c];
    const double mean = sum / static_cast<double>(rows);
    for (int64_t r = 0; r < rows; ++r) squares += (x[r * columns + c] - mean) * (x[r * columns + c] - mean);
    const double factor = scale[c] / std::sqrt(squares / static_cast<double>(rows) + 1e-5);
    for (int64_t r = 0; r < rows; ++r) x[r * columns + c] = static_cast<float>((x[r * columns + c] - mean) * factor + shift[c]);
  }
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    float* row = &x[r * columns];
    const float largest = *std::max_element(row, row + columns);
    float sum = 0;
    for (int64_t c = 0; c < columns; ++c) sum += row[c] = std::exp(row[c] - largest);
    for (int64_t c = 0; c < columns; ++c) row[c] /= sum;
  }
}

}  // namespace

extern "C" void net_vlad_with_ghost_clusters(const float* x, const float* clusters, const float* scale, const float* shift,
                                             const float* centres, float* y, int64_t N, int64_t M, int64_t D, int64_t L, int64_t G) {
  const int64_t columns = L + G;
  std::vector<float> assigned(N * M * columns);
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < N * M; ++r)
    for (int64_t d = 0; d < D; ++d)
#pragma omp simd
      for (int64_t c = 0; c < columns; ++c) assigned[r * columns + c] += x[r * D + d] * clusters[d * columns + c];
  assign(assigned, scale, shift, N * M, columns);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    float* out = y + n * D * L;
    std::vector<float> total(L);
    std::fill_n(out, D * L, 0.0f);
    for (int64_t m = 0; m < M; ++m) {
      const float* shares = &assigned[(n * M + m) * columns];
      for (int64_t l = 0; l < L; ++l) total[l] += shares[l];
      for (int64_t d = 0; d < D; ++d)
#pragma omp simd
        for (int64_t l = 0; l < L; ++l) out[d * L + l] += x[(n * M + m) * D + d] * shares[l];
    }
    std::vector<double> lengths(L);
    for (int64_t d = 0; d < D; ++d)
      for (int64_t l = 0; l < L; ++l) {
        float& z = out[d * L + l];
        z -= total[l] * centres[d * L + l];
        lengths[l] += static_cast<double>(z) * z;
      }
    double whole = 0;
    for (int64_t d = 0; d < D; ++d)
      for (int64_t l = 0; l < L; ++l) {
        float& z = out[d * L + l];
        z = static_cast<float>(z / std::max(std::sqrt(lengths[l]), 1e-12));
        whole += static_cast<double>(z) * z;
      }
    const double factor = 1 / std::max(std::sqrt(whole), 1e-12);
    for (int64_t i = 0; i < D * L; ++i) out[i] = static_cast<float>(out[i] * factor);
  }
}
