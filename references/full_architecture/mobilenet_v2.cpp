// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole.
#include "blocks/depthwise.h"

#include "kernel.h"

namespace {

struct block {
  int64_t hidden, channels, stride;  // channels in units of C
};
constexpr block stages[] = {{4, 2, 1},   {12, 3, 2},  {18, 3, 1},   {18, 4, 2},   {24, 4, 1},  {24, 4, 1},
                            {24, 8, 2},  {48, 8, 1},  {48, 8, 1},   {48, 8, 1},   {48, 12, 1}, {72, 12, 1},
                            {72, 12, 1}, {72, 20, 2}, {120, 20, 1}, {120, 20, 1}, {120, 40, 1}};

}  // namespace

extern "C" void mobilenet_v2(const float* x, const float* stem, const float* expand, const float* depthwise, const float* project,
                             const float* head, const float* scale, const float* shift, const float* w, const float* b, float* y, int64_t N,
                             int64_t H, int64_t W, int64_t C, int64_t K) {
  auto layer = [&](const blocks::Maps& in, const float* weights, int64_t channels, const blocks::Window& k, float low = 0, float high = 6) {
    blocks::Maps out = blocks::convolved(in, weights, channels, k);
    blocks::normalize(out, scale, shift, low, high);
    scale += channels, shift += channels;
    return out;
  };
  blocks::Maps h = blocks::read_images(x, N, 3, H, W);
  h = layer(h, stem, 4 * C, {3, 2, 1});
  for (const block& next : stages) {
    int64_t hidden = next.hidden * C, channels = next.channels * C;
    if (&next != stages) {
      int64_t inputs = h.c;
      h = layer(h, expand, hidden, {});
      expand += hidden * inputs;
    }
    h = layer(h, depthwise, hidden, {3, next.stride, 1, hidden});
    depthwise += hidden * 9;
    h = layer(h, project, channels, {}, -blocks::kInfinity, blocks::kInfinity);
    project += channels * hidden;
  }
  blocks::classify(layer(h, head, 160 * C, {}), w, b, y, K);
}
