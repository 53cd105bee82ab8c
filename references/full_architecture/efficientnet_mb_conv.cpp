// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/depthwise.h"

#include "kernel.h"

extern "C" void efficientnet_mb_conv(const float* x, const float* expand, const float* scale1, const float* shift1, const float* depthwise,
                                     const float* scale2, const float* shift2, const float* project, const float* scale3,
                                     const float* shift3, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O, int64_t OH,
                                     int64_t OW) {
  const auto layer = [](const blocks::Maps& in, const float* w, const float* scale, const float* shift, int64_t channels,
                        const blocks::Window& k, float low, float high) {
    blocks::Maps out = blocks::convolved(in, w, channels, k);
    blocks::normalize(out, scale, shift, low, high);
    return out;
  };
  blocks::Maps h = layer(blocks::read_images(x, N, C, H, W), expand, scale1, shift1, 6 * C, {}, 0, 6);
  h = layer(h, depthwise, scale2, shift2, 6 * C, {5, 2, 2, 6 * C}, 0, 6);
  blocks::write_images(layer(h, project, scale3, shift3, O, {}, -blocks::kInfinity, blocks::kInfinity), y);
}
