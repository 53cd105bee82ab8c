// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" void apply_penalties(float* logits, const float* presence, const float* frequency, const float* repetition,
                                const int64_t* token_ids, const int64_t* counts, const int64_t* offsets, int64_t R, int64_t V,
                                [[maybe_unused]] int64_t T, [[maybe_unused]] int64_t P) {
#pragma omp parallel for
  for (int64_t r = 0; r < R; ++r)
    for (int64_t t = offsets[r]; t < offsets[r + 1]; ++t) {
      float& logit = logits[r * V + token_ids[t]];
      const float repeated = logit > 0.0f ? logit / repetition[r] : logit * repetition[r];
      logit = repeated - static_cast<float>(counts[t]) * frequency[r] - presence[r];
    }
}
