// SPDX-License-Identifier: Apache-2.0
// The two outer convolutions write their channels of an image where they belong.
#include "blocks/convolution.h"

#include <vector>

#include "kernel.h"

extern "C" void squeeze_net_fire_module(const float* x, const float* squeeze, const float* b_squeeze, const float* one, const float* b_one,
                                        const float* three, const float* b_three, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                                        int64_t S, int64_t A, int64_t B) {
  const int64_t area = H * W, channels = A + B;
  const blocks::Axis rows{H, 1, H}, columns{W, 1, W};
  std::vector<float> s(N * S * area);
  const auto bend = [](float* z, int64_t count) {
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < count; ++i) z[i] = z[i] < 0 ? 0 : z[i];
  };
  blocks::convolve({N, C, S, 1, {}, rows, columns}, x, squeeze, b_squeeze, s.data());
  bend(s.data(), N * S * area);
  for (int64_t n = 0; n < N; ++n) {
    const float* in = &s[n * S * area];
    float* out = y + n * channels * area;
    blocks::convolve({1, S, A, 1, {}, rows, columns}, in, one, b_one, out);
    blocks::convolve({1, S, B, 1, {}, {H, 3, H, 1, 1}, {W, 3, W, 1, 1}}, in, three, b_three, out + A * area);
    bend(out, channels * area);
  }
}
