// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/strips.h"

#include "kernel.h"

extern "C" void googlenet_inception_module(const float* x, const float* one, const float* b_one, const float* reduce3,
                                           const float* b_reduce3, const float* three, const float* b_three, const float* reduce5,
                                           const float* b_reduce5, const float* five, const float* b_five, const float* pooled,
                                           const float* b_pooled, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t A,
                                           int64_t R, int64_t B, int64_t S, int64_t D, int64_t E) {
  const blocks::Maps in = blocks::read_images(x, N, C, H, W);
  const auto layer = [](const blocks::Maps& from, const float* w, const float* b, int64_t channels, int64_t size) {
    return blocks::convolved_in_strips(from, w, b, channels, {size, 1, size / 2}, -blocks::kInfinity);
  };
  blocks::Maps out = layer(in, one, b_one, A, 1);
  blocks::append(out, layer(layer(in, reduce3, b_reduce3, R, 1), three, b_three, B, 3));
  blocks::append(out, layer(layer(in, reduce5, b_reduce5, S, 1), five, b_five, D, 5));
  blocks::append(out, layer(blocks::pooled(in, {3, 1, 1}), pooled, b_pooled, E, 1));
  blocks::write_images(out, y);
}
