// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

extern "C" void quantize_groups_into_slots(const float16* x, const int64_t* places, int8_t* cache, float16* scales, int64_t T, int64_t H,
                                           int64_t G, int64_t) {
#pragma omp parallel for
  for (int64_t t = 0; t < T; ++t)
    for (int64_t i = 0; i < H * G; ++i) {
      const float16* from = x + (t * H * G + i) * 8;
      const int64_t group = places[t] * H * G + i;
      float most = 0;
      for (int d = 0; d < 8; ++d) most = std::max(most, std::fabs(static_cast<float>(from[d])));
      const float scale = std::max(most / 127.0f, 0x1p-20f);
      for (int d = 0; d < 8; ++d) cache[group * 8 + d] = static_cast<int8_t>(static_cast<float>(from[d]) / scale);
      scales[group] = static_cast<float16>(scale);
    }
}
