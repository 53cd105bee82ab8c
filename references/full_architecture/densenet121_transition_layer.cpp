// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/strips.h"

#include "kernel.h"

namespace {

// The mean of each 2x2.
blocks::Maps halve(const blocks::Maps& x) {
  blocks::Maps y{x.c, x.n, x.h / 2, x.w / 2};
#pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < x.c * x.n; ++plane)
    for (int64_t h = 0; h < y.h; ++h)
      for (int64_t v = 0; v < y.w; ++v) {
        const float* in = &x.data[(plane * x.h + 2 * h) * x.w + 2 * v];
        y.data[(plane * y.h + h) * y.w + v] = (in[0] + in[1] + in[x.w] + in[x.w + 1]) / 4;
      }
  return y;
}

}  // namespace

extern "C" void densenet121_transition_layer(const float* x, const float* scale, const float* shift, const float* w, float* y, int64_t N,
                                             int64_t C, int64_t H, int64_t W, int64_t O, int64_t OH, int64_t OW) {
  blocks::Maps h = blocks::read_images(x, N, C, H, W);
  blocks::normalize(h, scale, shift, 0, blocks::kInfinity);
  blocks::write_images(halve(blocks::convolved_in_strips(h, w, nullptr, O, {})), y);
}
