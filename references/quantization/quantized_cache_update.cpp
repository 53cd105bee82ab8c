// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel.h"

#include "blocks/float16.h"

extern "C" void quantized_cache_update(int8_t* cache, const int32_t* offsets, const float16* updates, const float* scale,
                                       const int32_t* zero, int64_t B, int64_t S, int64_t U, int64_t D) {
#pragma omp parallel for collapse(2)
  for (int64_t b = 0; b < B; ++b)
    for (int64_t u = 0; u < U; ++u) {
      const float16* from = updates + (b * U + u) * D;
      int8_t* to = cache + (b * (S + U) + offsets[b] + u) * D;
      for (int64_t d = 0; d < D; ++d) {
        const float code = std::nearbyint(blocks::load(from[d]) / scale[d] + static_cast<float>(zero[d]));
        to[d] = static_cast<int8_t>(std::clamp(code, -128.0f, 127.0f));
      }
    }
}
