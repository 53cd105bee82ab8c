// SPDX-License-Identifier: Apache-2.0
// The product is never stored: a block of columns of x stays in cache while the rows of w pass by, one lane for each row of
// x, and only the running maximum is kept.
#include "blocks/vector_math.h"

#include <algorithm>
#include <limits>
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

inline void raise_to(vec& top, vec value) { top = value > top ? value : top; }

template <int64_t R>
void tile(const strip* x, const float* w, int64_t K, const float* b, strip& top) {
  vec sum[R][2] = {};
  for (int64_t k = 0; k < K; ++k)
    for (int64_t r = 0; r < R; ++r) {
      sum[r][0] += w[r * K + k] * x[k].v[0];
      sum[r][1] += w[r * K + k] * x[k].v[1];
    }
  for (int64_t r = 0; r < R; ++r) {
    raise_to(top.v[0], sum[r][0] + b[r]);
    raise_to(top.v[1], sum[r][1] + b[r]);
  }
}

}  // namespace

extern "C" void gemm_max_center_gelu(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K,
                                     int64_t N) {
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; m += width) {
    const int64_t count = std::min(width, M - m);
    std::vector<strip> columns(K, strip{});
    for (int64_t i = 0; i < count; ++i)
      for (int64_t k = 0; k < K; ++k) columns[k].v[i / lanes][i % lanes] = x[(m + i) * K + k];
    strip top;
    for (vec& half : top.v) half = vec{} - std::numeric_limits<float>::infinity();
    int64_t n = 0;
    for (; n + rows <= N; n += rows) tile<rows>(columns.data(), w + n * K, K, b + n, top);
    for (; n < N; ++n) tile<1>(columns.data(), w + n * K, K, b + n, top);
    for (int64_t i = 0; i < count; ++i) y[m + i] = top.v[i / lanes][i % lanes];
  }
  double sum = 0;
  for (int64_t m = 0; m < M; ++m) sum += y[m];
  const auto mean = static_cast<float>(sum / static_cast<double>(M));
  for (int64_t m = 0; m < M; ++m) {
    const float centred = y[m] - mean;
    y[m] = 0.5f * centred * (blocks::erf(centred * 0.70710678f) + 1.0f);
  }
}
