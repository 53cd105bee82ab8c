#include "kernel.h"

#include <algorithm>
#include <vector>

// Direct convolution vectorised over output channels: the weights are repacked to
// [C][11][11][O], so that one input pixel is broadcast against a contiguous row of channels.
// Taps that fall into the padding are skipped by clamping the kernel window once per pixel.
extern "C" void conv_standard_2d_square_input_square_kernel(const float* x, const float* w, const float* b, float* y,
                                                            int64_t N, int64_t C, int64_t H, int64_t W, int64_t O,
                                                            int64_t OH, int64_t OW) {
  constexpr int64_t K = 11, S = 4, P = 2;
  const int64_t taps = C * K * K;

  std::vector<float> packed(static_cast<size_t>(taps * O));
#pragma omp parallel for schedule(static)
  for (int64_t t = 0; t < taps; ++t)
    for (int64_t o = 0; o < O; ++o) packed[t * O + o] = w[o * taps + t];

#pragma omp parallel
  {
    std::vector<float> acc(static_cast<size_t>(O));

#pragma omp for collapse(2) schedule(static)
    for (int64_t n = 0; n < N; ++n)
      for (int64_t oh = 0; oh < OH; ++oh) {
        const int64_t top = oh * S - P;
        const int64_t kh0 = std::max<int64_t>(0, -top), kh1 = std::min(K, H - top);
        for (int64_t ow = 0; ow < OW; ++ow) {
          const int64_t left = ow * S - P;
          const int64_t kw0 = std::max<int64_t>(0, -left), kw1 = std::min(K, W - left);

          std::copy(b, b + O, acc.begin());
          for (int64_t c = 0; c < C; ++c)
            for (int64_t kh = kh0; kh < kh1; ++kh) {
              const float* line = x + ((n * C + c) * H + top + kh) * W + left;
              for (int64_t kw = kw0; kw < kw1; ++kw) {
                const float pixel = line[kw];
                const float* __restrict weights = packed.data() + ((c * K + kh) * K + kw) * O;
                float* __restrict sums = acc.data();
#pragma omp simd
                for (int64_t o = 0; o < O; ++o) sums[o] += pixel * weights[o];
              }
            }
          for (int64_t o = 0; o < O; ++o) y[((n * O + o) * OH + oh) * OW + ow] = acc[o];
        }
      }
  }
}
