// SPDX-License-Identifier: Apache-2.0
#include "blocks/key_classes.h"

#include "kernel.h"

extern "C" void class_mask_attention_means(const float* scores, const float* masks, float* y, int64_t B, int64_t H, int64_t Q, int64_t K,
                                           int64_t C) {
  blocks::key_class_means(scores, masks, B, H, Q, K, C, [=](int64_t b, int64_t q, int64_t c, const float* means) {
    float sum = 0;
    for (int64_t h = 0; h < H; ++h) sum += means[h];
    y[(c * B + b) * Q + q] = sum / static_cast<float>(H);
  });
}
