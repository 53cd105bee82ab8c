// SPDX-License-Identifier: Apache-2.0
#include "blocks/heads.h"

#include "kernel.h"

extern "C" void cross_attention(const float* x, const float* z, const float* w, const float* b, const float* u, const float* c, float* y,
                                int64_t B, int64_t T, int64_t H, int64_t D, int64_t S) {
  const int64_t width = H * D;
  std::vector<float> q(B * T * width), packed(B * S * 2 * width), heads(B * T * width);
  blocks::affine(B * T, width, width, x, {w, 3 * width}, b, q.data());
  blocks::affine(B * S, width, 2 * width, z, {w + width, 3 * width}, b + width, packed.data());
  blocks::attend_heads(B, T, S, H, 1, D, {q.data(), width}, {packed.data(), 2 * width}, {&packed[width], 2 * width}, heads.data(),
                       blocks::whole(S));
  blocks::affine(B * T, width, width, heads.data(), {u, width}, c, y);
}
