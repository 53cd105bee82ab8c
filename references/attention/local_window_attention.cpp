// SPDX-License-Identifier: Apache-2.0
#include "blocks/heads.h"

#include "kernel.h"

extern "C" void local_window_attention(const float* x, const float* w, const float* b, const float* u, const float* c, float* y, int64_t B,
                                       int64_t T, int64_t H, int64_t D, int64_t W) {
  const int64_t width = H * D, stride = 3 * width;
  std::vector<float> packed(B * T * stride), heads(B * T * width);
  const float* q = packed.data();
  blocks::affine(B * T, width, stride, x, {w, stride}, b, packed.data());
  blocks::attend_heads(B, T, T, H, 1, D, {q, stride}, {q + width, stride}, {q + 2 * width, stride}, heads.data(),
                       [=](int64_t t) -> blocks::Seen {
                         return {std::max<int64_t>(0, t - W), std::min(T, t + W)};
                       });
  blocks::affine(B * T, width, width, heads.data(), {u, width}, c, y);
}
