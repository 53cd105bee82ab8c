// SPDX-License-Identifier: Apache-2.0
#include "blocks/heads.h"

#include "kernel.h"

extern "C" void cross_modal_attention(const float* text, const float* image, const float* w_text, const float* b_text, const float* w_image,
                                      const float* b_image, const float* w, const float* b, const float* u, const float* c, float* y,
                                      int64_t B, int64_t T, int64_t M, int64_t S, int64_t N, int64_t H, int64_t D) {
  const int64_t width = H * D;
  std::vector<float> q(B * T * width), packed(B * S * 2 * width), heads(B * T * width), x(B * T * width), z(B * S * width);
  blocks::affine(B * T, M, width, text, {w_text, width}, b_text, x.data());
  blocks::affine(B * S, N, width, image, {w_image, width}, b_image, z.data());
  blocks::affine(B * T, width, width, x.data(), {w, 3 * width}, b, q.data());
  blocks::affine(B * S, width, 2 * width, z.data(), {w + width, 3 * width}, b + width, packed.data());
  blocks::attend_heads(B, T, S, H, 1, D, {q.data(), width}, {packed.data(), 2 * width}, {&packed[width], 2 * width}, heads.data(),
                       blocks::whole(S));
  blocks::affine(B * T, width, width, heads.data(), {u, width}, c, y);
}
