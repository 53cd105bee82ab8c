#include "kernel.h"

#include <algorithm>
#include <vector>

// y = relu(x * w^T + b), written as a classic packed GEMM:
//   - w is packed once into column panels of kNR outputs, [panel][k][kNR], zero padded,
//   - a micro-kernel keeps a kMR x kNR tile of y in vector registers over the whole of K,
//   - bias and ReLU are applied to the registers before the only store to y.
namespace {

#if defined(__AVX512F__)
constexpr int kWidth = 16;
#else
constexpr int kWidth = 8;
#endif
typedef float Vec __attribute__((vector_size(kWidth * sizeof(float))));
typedef Vec LooseVec __attribute__((aligned(sizeof(float)), may_alias));

constexpr int kMR = 6;
constexpr int kNR = 2 * kWidth;

// One kMR x kNR tile. Row pointers past the end repeat the last row; their results are dropped.
inline void micro_kernel(const float* const (&row)[kMR], const float* panel, int64_t K, Vec (&acc)[kMR][2]) {
  for (int64_t k = 0; k < K; ++k) {
    const Vec w0 = *reinterpret_cast<const LooseVec*>(panel + k * kNR);
    const Vec w1 = *reinterpret_cast<const LooseVec*>(panel + k * kNR + kWidth);
#pragma GCC unroll 6
    for (int r = 0; r < kMR; ++r) {
      acc[r][0] += w0 * row[r][k];
      acc[r][1] += w1 * row[r][k];
    }
  }
}

void pack_panel(const float* w, float* panel, int64_t first, int64_t columns, int64_t K) {
  for (int64_t k = 0; k < K; ++k)
    for (int64_t j = 0; j < kNR; ++j) panel[k * kNR + j] = j < columns ? w[(first + j) * K + k] : 0.0f;
}

}  // namespace

extern "C" void gemm_add_relu(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
  const int64_t panels = (N + kNR - 1) / kNR;

#pragma omp parallel
  {
    std::vector<float> panel(static_cast<size_t>(K) * kNR);

#pragma omp for schedule(static)
    for (int64_t p = 0; p < panels; ++p) {
      const int64_t first = p * kNR;
      const int64_t columns = std::min<int64_t>(kNR, N - first);
      pack_panel(w, panel.data(), first, columns, K);

      float bias[kNR];
      for (int64_t j = 0; j < kNR; ++j) bias[j] = j < columns ? b[first + j] : 0.0f;

      for (int64_t m = 0; m < M; m += kMR) {
        const float* row[kMR];
        for (int64_t r = 0; r < kMR; ++r) row[r] = x + std::min(m + r, M - 1) * K;

        Vec acc[kMR][2] = {};
        micro_kernel(row, panel.data(), K, acc);

        const int64_t rows = std::min<int64_t>(kMR, M - m);
        for (int64_t r = 0; r < rows; ++r) {
          float tile[kNR];
          for (int j = 0; j < kNR; ++j) tile[j] = std::max(acc[r][j / kWidth][j % kWidth] + bias[j], 0.0f);
          std::copy(tile, tile + columns, y + (m + r) * N + first);
        }
      }
    }
  }
}
