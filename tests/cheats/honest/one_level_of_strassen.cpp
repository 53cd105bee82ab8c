// SPDX-License-Identifier: Apache-2.0
// task: matmul_with_irregular_shapes
// Seven products of quadrants instead of eight, down to the smallest, where all numbers are finite and moderate: other roundings,
// which are those of the largest quadrant.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernel.h"

namespace {

constexpr float kModerate = 1e6f;

bool is_moderate(const float* x, int64_t count) {
  return std::all_of(x, x + count, [](float element) { return std::abs(element) <= kModerate; });
}

// c += a b
void add_product(const float* a, int64_t a_stride, const float* b, int64_t b_stride, float* c, int64_t c_stride, int64_t M, int64_t K,
                 int64_t N) {
  for (int64_t i = 0; i < M; ++i)
    for (int64_t k = 0; k < K; ++k) {
      const float factor = a[i * a_stride + k];
      for (int64_t j = 0; j < N; ++j) c[i * c_stride + j] += factor * b[k * b_stride + j];
    }
}

// first + sign second, packed
std::vector<float> combined(const float* first, const float* second, float sign, int64_t stride, int64_t rows, int64_t columns) {
  std::vector<float> sum(rows * columns);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) sum[i * columns + j] = first[i * stride + j] + sign * (second ? second[i * stride + j] : 0);
  return sum;
}

// One level on the even part of the extents: m, k and n are half of it.
void strassen(const float* a, const float* b, float* c, int64_t K, int64_t N, int64_t m, int64_t k, int64_t n) {
  const float *a11 = a, *a12 = a + k, *a21 = a + m * K, *a22 = a21 + k;
  const float *b11 = b, *b12 = b + n, *b21 = b + k * N, *b22 = b21 + n;
  float *c11 = c, *c12 = c + n, *c21 = c + m * N, *c22 = c21 + n;
  const auto left = [&](const float* x, const float* y, float sign) { return combined(x, y, sign, K, m, k); };
  const auto right = [&](const float* x, const float* y, float sign) { return combined(x, y, sign, N, k, n); };
  struct Target {
    float* c;
    float sign;
  };
  const auto term = [&](const std::vector<float>& x, const std::vector<float>& y, std::initializer_list<Target> targets) {
    std::vector<float> product(m * n);
    add_product(x.data(), k, y.data(), n, product.data(), n, m, k, n);
    for (const Target& target : targets)
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) target.c[i * N + j] += target.sign * product[i * n + j];
  };
  term(left(a11, a22, 1), right(b11, b22, 1), {{c11, 1}, {c22, 1}});
  term(left(a21, a22, 1), right(b11, nullptr, 1), {{c21, 1}, {c22, -1}});
  term(left(a11, nullptr, 1), right(b12, b22, -1), {{c12, 1}, {c22, 1}});
  term(left(a22, nullptr, 1), right(b21, b11, -1), {{c11, 1}, {c21, 1}});
  term(left(a11, a12, 1), right(b22, nullptr, 1), {{c11, -1}, {c12, 1}});
  term(left(a21, a11, -1), right(b11, b12, 1), {{c22, 1}});
  term(left(a12, a22, -1), right(b21, b22, 1), {{c11, 1}});
}

}  // namespace

extern "C" void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  std::fill_n(c, M * N, 0.0f);
  const int64_t m = M / 2, k = K / 2, n = N / 2;
  if (m == 0 || k == 0 || n == 0 || !is_moderate(a, M * K) || !is_moderate(b, K * N)) return add_product(a, K, b, N, c, N, M, K, N);
  strassen(a, b, c, K, N, m, k, n);
  // The odd index of the sum, column and row.
  if (K % 2 != 0) add_product(a + 2 * k, K, b + 2 * k * N, N, c, N, 2 * m, 1, 2 * n);
  if (N % 2 != 0) add_product(a, K, b + 2 * n, N, c + 2 * n, N, 2 * m, K, 1);
  if (M % 2 != 0) add_product(a + 2 * m * K, K, b, N, c + 2 * m * N, N, 1, K, N);
}
