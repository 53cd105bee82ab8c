// SPDX-License-Identifier: Apache-2.0
// In float64, by panels of columns: what the columns before take away is summed in registers, two vectors of rows by eight columns. L lies column
// by column.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

constexpr int64_t kLanes = 8, kRows = 2 * kLanes, kColumns = 8, kPanel = 16;
typedef double vec __attribute__((vector_size(kLanes * sizeof(double))));

/// Rows from i and columns from j on, less the products of the first `depth` columns.
void subtract_products(double* l, int64_t stride, int64_t depth, int64_t i, int64_t j) {
  vec sum[kColumns][2] = {};
  for (int64_t k = 0; k < depth; ++k) {
    const vec* rows = reinterpret_cast<const vec*>(&l[k * stride + i]);
    for (int64_t c = 0; c < kColumns; ++c) {
      sum[c][0] += rows[0] * l[k * stride + j + c];
      sum[c][1] += rows[1] * l[k * stride + j + c];
    }
  }
  for (int64_t c = 0; c < kColumns; ++c) {
    vec* to = reinterpret_cast<vec*>(&l[(j + c) * stride + i]);
    to[0] -= sum[c][0];
    to[1] -= sum[c][1];
  }
}

/// Columns begin to end, of which the columns before are taken away already.
void factor_panel(double* l, int64_t stride, int64_t begin, int64_t end) {
  for (int64_t j = begin; j < end; ++j) {
    double* column = &l[j * stride];
    for (int64_t k = begin; k < j; ++k) {
      const double* other = &l[k * stride];
      const double times = other[j];
#pragma omp simd
      for (int64_t i = j; i < stride; ++i) column[i] -= times * other[i];
    }
    const double inverse = 1 / std::sqrt(column[j]);
#pragma omp simd
    for (int64_t i = j; i < stride; ++i) column[i] *= inverse;
  }
}

}  // namespace

void cholesky_factor(const float* x, float* y, int64_t N) {
  const int64_t stride = (N + kPanel - 1) / kPanel * kPanel;  // rows and columns of zeros behind the last
  std::vector<vec> memory(stride * stride / kLanes);
  double* l = reinterpret_cast<double*>(memory.data());
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j <= i; ++j) l[j * stride + i] = x[i * N + j];
  for (int64_t begin = 0; begin < N; begin += kPanel) {
    const int64_t end = std::min(begin + kPanel, N);
    for (int64_t i = begin; i < stride; i += kRows)
      for (int64_t j = begin; j < end; j += kColumns) subtract_products(l, stride, begin, i, j);
    factor_panel(l, stride, begin, end);
  }
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j < N; ++j) y[i * N + j] = j <= i ? static_cast<float>(l[j * stride + i]) : 0;
}
