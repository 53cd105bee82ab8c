// SPDX-License-Identifier: Apache-2.0
// Rows of zeros and ones: each mask is at most three stretches of a row.
#include <algorithm>

#include "kernel.h"

extern "C" void attention_masks_causal_and_window(const int64_t* past, const int64_t* window, bool* causal, bool* windowed, int64_t B,
                                                  int64_t S, int64_t K) {
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < B * S; ++row) {
    const int64_t p = past[row / S] + row % S;
    const int64_t end = std::clamp<int64_t>(p + 1, 0, K), begin = std::clamp<int64_t>(p - window[0] + 1, 0, end);
    bool* c = causal + row * K;
    bool* w = windowed + row * K;
    std::fill(c, c + end, false);
    std::fill(c + end, c + K, true);
    std::fill(w, w + begin, true);
    std::fill(w + begin, w + end, false);
    std::fill(w + end, w + K, true);
  }
}
