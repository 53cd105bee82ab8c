// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void connected_components_step(const int32_t* row_pointers, const int32_t* neighbours, const int32_t* labels,
                                          int32_t* new_labels, int64_t V, [[maybe_unused]] int64_t E) {
#pragma omp parallel for schedule(dynamic, 256)
  for (int64_t v = 0; v < V; ++v) {
    int32_t smallest = labels[v];
#pragma omp simd reduction(min : smallest)
    for (int32_t e = row_pointers[v]; e < row_pointers[v + 1]; ++e) smallest = std::min(smallest, labels[neighbours[e]]);
    new_labels[v] = smallest;
  }
}
