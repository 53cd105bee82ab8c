// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "kernel.h"

void decode_merge(const float* partial, const float* log_sums, const int64_t* lengths, float* o, int64_t B, int64_t H, int64_t S,
                  int64_t D) {
#pragma omp parallel for
  for (int64_t b = 0; b < B; ++b) {
    int64_t blocks = (lengths[b] + 15) / 16;
    for (int64_t h = 0; h < H; ++h) {
      std::vector<float> weight(blocks);
      float largest = log_sums[(b * H + h) * S];
      for (int64_t s = 1; s < blocks; ++s) {
        if (log_sums[(b * H + h) * S + s] > largest) largest = log_sums[(b * H + h) * S + s];
      }
      float sum = 0;
      for (int64_t s = 0; s < blocks; ++s) {
        weight[s] = std::exp(log_sums[(b * H + h) * S + s] - largest);
        sum += weight[s];
      }
      for (int64_t d = 0; d < D; ++d) {
        float total = 0;
        for (int64_t s = 0; s < blocks; ++s) total += weight[s] / sum * partial[((b * H + h) * S + s) * D + d];
        o[(b * H + h) * D + d] = total;
      }
    }
  }
}
