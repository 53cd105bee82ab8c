// SPDX-License-Identifier: Apache-2.0
// Each thread counts the outgoing edges among a part of all; what a vertex sends along each is then gathered row by row.
#include <vector>

#include "kernel.h"

extern "C" void pagerank_step(const int32_t* row_pointers, const int32_t* sources, const float* rank, const float* damping, float* new_rank,
                              int64_t V, int64_t E) {
  std::vector<int32_t> degree(V);
  std::vector<float> share(V);
  float unsent = 0.0f;
#pragma omp parallel
  {
    std::vector<int32_t> counts(V);
#pragma omp for schedule(static) nowait
    for (int64_t e = 0; e < E; ++e) ++counts[sources[e]];
#pragma omp critical
    for (int64_t v = 0; v < V; ++v) degree[v] += counts[v];
#pragma omp barrier
#pragma omp for simd schedule(static) reduction(+ : unsent)
    for (int64_t v = 0; v < V; ++v) {
      unsent += degree[v] == 0 ? rank[v] : 0.0f;
      share[v] = rank[v] / static_cast<float>(degree[v]);
    }
    const float d = *damping, count = static_cast<float>(V), spread = unsent / count, jump = (1.0f - d) / count;
#pragma omp for schedule(dynamic, 256)
    for (int64_t v = 0; v < V; ++v) {
      float received = 0.0f;
#pragma omp simd reduction(+ : received)
      for (int32_t e = row_pointers[v]; e < row_pointers[v + 1]; ++e) received += share[sources[e]];
      new_rank[v] = d * (received + spread) + jump;
    }
  }
}
