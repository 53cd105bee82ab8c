// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernel.h"

void quantize_groups_into_slots(const float16* x, const int64_t* places, int8_t* cache, float16* scales, int64_t T, int64_t H, int64_t G,
                                int64_t P) {
#pragma omp parallel for
  for (int64_t t = 0; t < T; ++t) {
    for (int64_t h = 0; h < H; ++h) {
      for (int64_t g = 0; g < G; ++g) {
        const float16* group = x + ((t * H + h) * G + g) * 8;
        float most = 0;
        for (int64_t i = 0; i < 8; ++i) {
          float size = std::fabs((float)group[i]);
          if (size > most) most = size;
        }
        float scale = most / 127;
        if (scale < 9.5367431640625e-07f) scale = 9.5367431640625e-07f;
        int64_t slot = (places[t] * H + h) * G + g;
        for (int64_t i = 0; i < 8; ++i) cache[slot * 8 + i] = (int8_t)((float)group[i] / scale);
        scales[slot] = (float16)scale;
      }
    }
  }
}
