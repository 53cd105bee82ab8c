// SPDX-License-Identifier: Apache-2.0
// Works on x transposed, `width` of its rows at a time: then w is read where it lies, one number for all
// lanes, and only the smaller operand is repacked. A tile of `rows` columns of y by two vectors stays in
// registers through all of K; bias and ReLU are applied before it is stored.
#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

#ifdef __AVX512F__
constexpr int64_t lanes = 16, rows = 12;
#else
constexpr int64_t lanes = 8, rows = 6;  // 12 of the 16 vector registers
#endif
constexpr int64_t width = 2 * lanes;
typedef float vec __attribute__((vector_size(lanes * sizeof(float))));
struct strip {
  vec v[2];  // one column of x, `width` rows of it
};

template <int64_t R>
void tile(const strip* x, const float* w, int64_t K, const float* b, float* y, int64_t N, int64_t count) {
  vec sum[R][2] = {};
  for (int64_t k = 0; k < K; ++k) {
    for (int64_t r = 0; r < R; ++r) {
      sum[r][0] += w[r * K + k] * x[k].v[0];
      sum[r][1] += w[r * K + k] * x[k].v[1];
    }
  }
  float out[R][width];
  for (int64_t r = 0; r < R; ++r) {
    for (int64_t i = 0; i < width; ++i) {
      float v = sum[r][i / lanes][i % lanes] + b[r];
      out[r][i] = v < 0.0f ? 0.0f : v;
    }
  }
  for (int64_t i = 0; i < count; ++i)
    for (int64_t r = 0; r < R; ++r) y[i * N + r] = out[r][i];
}

}  // namespace

extern "C" void gemm_add_relu(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K,
                              int64_t N) {
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; m += width) {
    int64_t count = std::min(width, M - m);
    std::vector<strip> columns(K, strip{});
    for (int64_t i = 0; i < count; ++i)
      for (int64_t k = 0; k < K; ++k) columns[k].v[i / lanes][i % lanes] = x[(m + i) * K + k];
    int64_t n = 0;
    for (; n + rows <= N; n += rows) tile<rows>(columns.data(), w + n * K, K, b + n, y + m * N + n, N, count);
    for (; n < N; ++n) tile<1>(columns.data(), w + n * K, K, b + n, y + m * N + n, N, count);
  }
}
