// SPDX-License-Identifier: Apache-2.0
#include "blocks/key_classes.h"

#include "kernel.h"

extern "C" void class_mask_attention_maxima(const float* scores, const float* masks, float* y, int64_t B, int64_t H, int64_t Q, int64_t K,
                                            int64_t C) {
  blocks::key_class_means(scores, masks, B, H, Q, K, C, [=](int64_t b, int64_t q, int64_t c, const float* means) {
    float most = means[0];
    for (int64_t h = 1; h < H; ++h) most = means[h] > most || means[h] != means[h] ? means[h] : most;
    y[(c * B + b) * Q + q] = most;
  });
}
