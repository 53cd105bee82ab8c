#include "kernel.h"

#include <algorithm>

// Parallel over (image, output channel). For every tap the valid range of output columns is
// computed up front, so the innermost loop over columns has no bounds checks.
extern "C" void conv_standard_2d_square_input_square_kernel(const float* x, const float* w, const float* b, float* y,
                                                            int64_t N, int64_t C, int64_t H, int64_t W, int64_t O,
                                                            int64_t OH, int64_t OW) {
  constexpr int64_t K = 11, S = 4;

#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t o = 0; o < O; ++o) {
      float* out = y + (n * O + o) * OH * OW;
      std::fill(out, out + OH * OW, b[o]);

      for (int64_t c = 0; c < C; ++c) {
        const float* plane = x + (n * C + c) * H * W;
        const float* kernel = w + (o * C + c) * K * K;
        for (int64_t oh = 0; oh < OH; ++oh)
          for (int64_t kh = 0; kh < K; ++kh) {
            const int64_t h = oh * S + kh;
            if (h >= H) continue;
            const float* line = plane + h * W;
            for (int64_t kw = 0; kw < K; ++kw) {
              const float weight = kernel[kh * K + kw];
              // Largest ow with ow * S + kw < W
              const int64_t last = std::min(OW, (W - kw + S - 1) / S);
              for (int64_t ow = 0; ow < last; ++ow) out[oh * OW + ow] += weight * line[ow * S + kw];
            }
          }
      }
    }
}
