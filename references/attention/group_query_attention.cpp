// SPDX-License-Identifier: Apache-2.0
#include "blocks/heads.h"

#include "kernel.h"

extern "C" void group_query_attention(const float* x, const float* w, const float* b, const float* u, const float* c, float* y, int64_t B,
                                      int64_t T, int64_t G, int64_t R, int64_t D) {
  const int64_t width = G * R * D, stride = width + 2 * G * D;
  std::vector<float> packed(B * T * stride), heads(B * T * width);
  const float* q = packed.data();
  blocks::affine(B * T, width, stride, x, {w, stride}, b, packed.data());
  blocks::attend_heads(B, T, T, G * R, R, D, {q, stride}, {q + width, stride}, {q + stride - G * D, stride}, heads.data(),
                       blocks::whole(T));
  blocks::affine(B * T, width, width, heads.data(), {u, width}, c, y);
}
