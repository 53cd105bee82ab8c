#include "kernel.h"

#include <algorithm>

// Cache-blocked GEMM with OpenMP: each thread owns a 32x32 tile of the output, K is walked in
// blocks of 256 so that the two operand tiles (32 KiB each) stay in L1/L2.
extern "C" void gemm_add_relu(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
  constexpr int64_t TM = 32, TN = 32, TK = 256;

#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t m0 = 0; m0 < M; m0 += TM) {
    for (int64_t n0 = 0; n0 < N; n0 += TN) {
      const int64_t m1 = std::min(m0 + TM, M), n1 = std::min(n0 + TN, N);
      float tile[TM][TN] = {};

      for (int64_t k0 = 0; k0 < K; k0 += TK) {
        const int64_t k1 = std::min(k0 + TK, K);
        for (int64_t m = m0; m < m1; ++m) {
          const float* xr = x + m * K;
          for (int64_t n = n0; n < n1; ++n) {
            const float* wr = w + n * K;
            float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
            for (int64_t k = k0; k < k1; ++k) sum += xr[k] * wr[k];
            tile[m - m0][n - n0] += sum;
          }
        }
      }

      for (int64_t m = m0; m < m1; ++m)
        for (int64_t n = n0; n < n1; ++n) y[m * N + n] = std::max(tile[m - m0][n - n0] + b[n], 0.0f);
    }
  }
}
