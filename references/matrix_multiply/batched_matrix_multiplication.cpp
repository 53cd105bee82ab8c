// SPDX-License-Identifier: Apache-2.0
// One unit of work is a batch entry and a panel of columns two vectors wide. The panel is copied once, padded
// with zeros, then swept by strips of a few rows of a, whose tile of c stays in registers over all of K.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernel.h"

namespace {

#ifdef __AVX512F__
constexpr int kLanes = 16;
constexpr int kRows = 12;
#else
constexpr int kLanes = 8;
constexpr int kRows = 6;
#endif
constexpr int kColumns = 2 * kLanes;

using Vector = float __attribute__((vector_size(kLanes * sizeof(float))));
struct alignas(64) PanelRow {
  Vector v[2];
};

// A size that the compiler knows is two moves instead of a call.
inline void copy_columns(void* to, const void* from, int64_t columns) {
  if (columns == kColumns)
    std::memcpy(to, from, kColumns * sizeof(float));
  else
    std::memcpy(to, from, columns * sizeof(float));
}

// `Rows` rows of c = as many rows of a times the panel.
template <int Rows>
void multiply_strip(const float* a, const PanelRow* panel, float* c, int64_t K, int64_t N, int64_t columns) {
  Vector sum[Rows][2] = {};
  for (int64_t k = 0; k < K; ++k) {
    const Vector left = panel[k].v[0];
    const Vector right = panel[k].v[1];
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r) {
      sum[r][0] += a[r * K + k] * left;
      sum[r][1] += a[r * K + k] * right;
    }
  }
#pragma GCC unroll 12
  for (int r = 0; r < Rows; ++r) copy_columns(c + r * N, sum[r], columns);
}

void multiply_panel(const float* a, const PanelRow* panel, float* c, int64_t M, int64_t K, int64_t N,
                    int64_t columns) {
  int64_t i = 0;
  for (; i + kRows <= M; i += kRows) multiply_strip<kRows>(a + i * K, panel, c + i * N, K, N, columns);
  for (; i + 4 <= M; i += 4) multiply_strip<4>(a + i * K, panel, c + i * N, K, N, columns);
  for (; i < M; ++i) multiply_strip<1>(a + i * K, panel, c + i * N, K, N, columns);
}

}  // namespace

extern "C" void batched_matrix_multiplication(const float* a, const float* b, float* c, int64_t B, int64_t M,
                                              int64_t K, int64_t N) {
#pragma omp parallel
  {
    std::vector<PanelRow> panel(K, PanelRow{});
#pragma omp for collapse(2)
    for (int64_t n = 0; n < B; ++n) {
      for (int64_t j = 0; j < N; j += kColumns) {
        const int64_t columns = std::min<int64_t>(kColumns, N - j);
        const float* source = b + n * K * N + j;
        for (int64_t k = 0; k < K; ++k) copy_columns(&panel[k], source + k * N, columns);
        multiply_panel(a + n * M * K, panel.data(), c + n * M * N + j, M, K, N, columns);
      }
    }
  }
}
