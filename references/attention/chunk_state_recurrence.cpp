// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void chunk_state_recurrence(const float* state, const float* decay, const float* added, float* h, int64_t B, int64_t H, int64_t K,
                                       int64_t V, int64_t M) {
  const int64_t size = K * V;
#pragma omp parallel for
  for (int64_t head = 0; head < B * H; ++head) {
    std::copy_n(state + head * size, size, h + head * M * size);
    for (int64_t chunk = head * M; chunk + 1 < (head + 1) * M; ++chunk) {
      const float *from = h + chunk * size, *more = added + chunk * size;
      float* to = h + (chunk + 1) * size;
      for (int64_t i = 0; i < size; ++i) to[i] = decay[chunk] * from[i] + more[i];
    }
  }
}
