// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/depthwise.h"

#include "kernel.h"

namespace {

// The channels of three groups dealt out in turn.
blocks::Maps shuffle(const blocks::Maps& x) {
  blocks::Maps y{x.c, x.n, x.h, x.w};
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < x.c; ++c) std::copy_n(x.channel(c % 3 * (x.c / 3) + c / 3), x.pixels(), y.channel(c));
  return y;
}

}  // namespace

extern "C" void shufflenet_unit(const float* x, const float* reduce, const float* scale1, const float* shift1, const float* depthwise,
                                const float* scale2, const float* expand, const float* scale3, const float* shift3, const float* shortcut,
                                const float* scale4, const float* shift4, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t M) {
  const auto layer = [](const blocks::Maps& in, const float* w, const float* scale, const float* shift, int64_t channels,
                        const blocks::Window& k, float low) {
    blocks::Maps out = blocks::convolved(in, w, channels, k);
    blocks::normalize(out, scale, shift, low, blocks::kInfinity);
    return out;
  };
  const blocks::Maps in = blocks::read_images(x, N, 3 * C, H, W);
  blocks::Maps h = layer(in, reduce, scale1, shift1, 3 * M, {1, 1, 0, 3}, 0);
  h = layer(h, depthwise, scale2, std::vector<float>(3 * M).data(), 3 * M, {3, 1, 1, 3 * M}, -blocks::kInfinity);
  h = layer(shuffle(h), expand, scale3, shift3, 12 * M, {1, 1, 0, 3}, 0);
  const blocks::Maps beside = layer(in, shortcut, scale4, shift4, 12 * M, {}, -blocks::kInfinity);
  const int64_t area = H * W;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t i = 0; i < N; ++i)
    for (int64_t c = 0; c < 12 * M; ++c)
      for (int64_t p = 0; p < area; ++p) y[(i * 12 * M + c) * area + p] = h.channel(c)[i * area + p] + beside.channel(c)[i * area + p];
}
