#include "kernel.h"

#include <algorithm>
#include <vector>

// Weights are [out, in], so each output is a dot product of two contiguous rows. Four samples
// share every weight row that is loaded; the compiler vectorises the reduction over k.
namespace {

void dense(const float* __restrict in, const float* __restrict w, const float* __restrict b, float* __restrict out,
           int64_t B, int64_t K, int64_t N, bool relu) {
  const float floor = relu ? 0.0f : -__builtin_inff();

#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* wr = w + n * K;
    int64_t i = 0;
    for (; i + 4 <= B; i += 4) {
      const float* x0 = in + i * K;
      const float* x1 = x0 + K;
      const float* x2 = x1 + K;
      const float* x3 = x2 + K;
      float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
      for (int64_t k = 0; k < K; ++k) {
        s0 += x0[k] * wr[k];
        s1 += x1[k] * wr[k];
        s2 += x2[k] * wr[k];
        s3 += x3[k] * wr[k];
      }
      out[(i + 0) * N + n] = std::max(s0 + b[n], floor);
      out[(i + 1) * N + n] = std::max(s1 + b[n], floor);
      out[(i + 2) * N + n] = std::max(s2 + b[n], floor);
      out[(i + 3) * N + n] = std::max(s3 + b[n], floor);
    }
    for (; i < B; ++i) {
      const float* xr = in + i * K;
      float s = 0.0f;
#pragma omp simd reduction(+ : s)
      for (int64_t k = 0; k < K; ++k) s += xr[k] * wr[k];
      out[i * N + n] = std::max(s + b[n], floor);
    }
  }
}

}  // namespace

extern "C" void mlp(const float* x, const float* w1, const float* b1, const float* w2, const float* b2, const float* w3,
                    const float* b3, float* y, int64_t B, int64_t I, int64_t H1, int64_t H2, int64_t O) {
  std::vector<float> h1(static_cast<size_t>(B * H1)), h2(static_cast<size_t>(B * H2));
  dense(x, w1, b1, h1.data(), B, I, H1, true);
  dense(h1.data(), w2, b2, h2.data(), B, H1, H2, true);
  dense(h2.data(), w3, b3, y, B, H2, O, false);
}
