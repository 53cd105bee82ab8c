#include "kernel.h"

#include <algorithm>
#include <vector>

// Transpose w once to [K][N]; then y[m, :] is a sum of rows of w^T and the inner loop runs
// over contiguous memory. Four rows of x share every loaded row of w^T, and N is cut into
// strips of 256 columns so that the four accumulator strips stay in L1.
namespace {

constexpr int64_t kRows = 4;
constexpr int64_t kStrip = 256;
constexpr int64_t kTile = 32;

void transpose(const float* __restrict w, float* __restrict wt, int64_t N, int64_t K) {
#pragma omp parallel for schedule(static)
  for (int64_t n0 = 0; n0 < N; n0 += kTile)
    for (int64_t k0 = 0; k0 < K; k0 += kTile)
      for (int64_t n = n0; n < std::min(n0 + kTile, N); ++n)
        for (int64_t k = k0; k < std::min(k0 + kTile, K); ++k) wt[k * N + n] = w[n * K + k];
}

template <int R>
void rows_times_strip(const float* x, const float* __restrict wt, const float* b, float* y, int64_t K, int64_t N,
                      int64_t begin, int64_t width) {
  float acc[R][kStrip];
  for (int r = 0; r < R; ++r)
    for (int64_t j = 0; j < width; ++j) acc[r][j] = b[begin + j];

  for (int64_t k = 0; k < K; ++k) {
    const float* __restrict row = wt + k * N + begin;
    float scale[R];
    for (int r = 0; r < R; ++r) scale[r] = x[r * K + k];
#pragma omp simd
    for (int64_t j = 0; j < width; ++j)
      for (int r = 0; r < R; ++r) acc[r][j] += scale[r] * row[j];
  }

  for (int r = 0; r < R; ++r)
    for (int64_t j = 0; j < width; ++j) y[r * N + begin + j] = std::max(acc[r][j], 0.0f);
}

}  // namespace

extern "C" void gemm_add_relu(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
  std::vector<float> wt(static_cast<size_t>(K * N));
  transpose(w, wt.data(), N, K);

#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; m += kRows) {
    for (int64_t begin = 0; begin < N; begin += kStrip) {
      const int64_t width = std::min(kStrip, N - begin);
      if (M - m >= kRows) {
        rows_times_strip<4>(x + m * K, wt.data(), b, y + m * N, K, N, begin, width);
      } else {
        for (int64_t r = m; r < M; ++r) rows_times_strip<1>(x + r * K, wt.data(), b, y + r * N, K, N, begin, width);
      }
    }
  }
}
