// SPDX-License-Identifier: Apache-2.0
// All assignments first, since their normalisation needs all descriptors; then image by image.
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

// Each column by its mean and variance, some columns side by side, then the softmax of each row.
void assign(std::vector<float>& x, const float* scale, const float* shift, int64_t rows, int64_t columns) {
  constexpr int64_t block = 16;
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < columns; first += block) {
    const int64_t count = std::min(block, columns - first);
    double mean[block] = {}, squares[block] = {}, factor[block];
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < count; ++c) mean[c] += x[r * columns + first + c];
    for (double& sum : mean) sum /= static_cast<double>(rows);
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < count; ++c) {
        const double distance = x[r * columns + first + c] - mean[c];
        squares[c] += distance * distance;
      }
    for (int64_t c = 0; c < count; ++c) factor[c] = scale[first + c] / std::sqrt(squares[c] / static_cast<double>(rows) + 1e-5);
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < count; ++c) {
        float& z = x[r * columns + first + c];
        z = static_cast<float>((z - mean[c]) * factor[c] + shift[first + c]);
      }
  }
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    float* row = &x[r * columns];
    float largest = -INFINITY, sum = 0;
#pragma omp simd reduction(max : largest)
    for (int64_t c = 0; c < columns; ++c) largest = largest < row[c] ? row[c] : largest;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < columns; ++c) sum += row[c] = blocks::exp(row[c] - largest);
    for (int64_t c = 0; c < columns; ++c) row[c] /= sum;
  }
}

}  // namespace

extern "C" void net_vlad_with_ghost_clusters(const float* x, const float* clusters, const float* scale, const float* shift,
                                             const float* centres, float* y, int64_t N, int64_t M, int64_t D, int64_t L, int64_t G) {
  const int64_t columns = L + G;
  std::vector<float> assigned(N * M * columns);
  blocks::product(N * M, columns, D, blocks::row_major(x, D), blocks::row_major(clusters, columns), assigned.data(), columns);
  assign(assigned, scale, shift, N * M, columns);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* shares = &assigned[n * M * columns];
    float* out = y + n * D * L;
    blocks::product(D, L, M, blocks::transposed(x + n * M * D, D), blocks::row_major(shares, columns), out, L);
    std::vector<float> total(L);
    for (int64_t m = 0; m < M; ++m)
      for (int64_t l = 0; l < L; ++l) total[l] += shares[m * columns + l];
    std::vector<double> lengths(L);
    for (int64_t d = 0; d < D; ++d)
      for (int64_t l = 0; l < L; ++l) {
        float& z = out[d * L + l];
        z -= total[l] * centres[d * L + l];
        lengths[l] += static_cast<double>(z) * z;
      }
    for (double& length : lengths) length = std::max(std::sqrt(length), 1e-12);
    double whole = 0;
    for (int64_t d = 0; d < D; ++d)
#pragma omp simd reduction(+ : whole)
      for (int64_t l = 0; l < L; ++l) {
        float& z = out[d * L + l];
        z = static_cast<float>(z / lengths[l]);
        whole += static_cast<double>(z) * z;
      }
    const double factor = 1 / std::max(std::sqrt(whole), 1e-12);
    for (int64_t i = 0; i < D * L; ++i) out[i] = static_cast<float>(out[i] * factor);
  }
}
