// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void embedding_of_shard(const int64_t* ids, const int64_t* first, const float* weights, float* y, int64_t T, int64_t V, int64_t D) {
#pragma omp parallel for
  for (int64_t t = 0; t < T; ++t) {
    const int64_t place = ids[t] - first[0];
    if (place >= 0 && place < V) std::copy_n(weights + place * D, D, y + t * D);
    else std::fill_n(y + t * D, D, 0.0f);
  }
}
