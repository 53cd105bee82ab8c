// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

extern "C" void quantize_into_slots(const float16* x, const int64_t* places, int8_t* cache, float16* scales, int64_t T, int64_t H, int64_t D,
                                    int64_t) {
#pragma omp parallel for
  for (int64_t t = 0; t < T; ++t)
    for (int64_t h = 0; h < H; ++h) {
      const float16* from = x + (t * H + h) * D;
      int8_t* to = cache + (places[t] * H + h) * D;
      float most = 0;
      for (int64_t d = 0; d < D; ++d) most = std::max(most, std::fabs(static_cast<float>(from[d])));
      const float scale = std::max(most / 127.0f, 0x1p-20f);
      for (int64_t d = 0; d < D; ++d) to[d] = static_cast<int8_t>(static_cast<float>(from[d]) / scale);
      scales[places[t] * H + h] = static_cast<float16>(scale);
    }
}
