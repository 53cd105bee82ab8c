// SPDX-License-Identifier: Apache-2.0
// Threads may reach a vertex at the same time, and all write the same there.
#include "kernel.h"

namespace {

int32_t read(const int32_t& at) {
  int32_t value;
#pragma omp atomic read
  value = at;
  return value;
}

void write(int32_t& at, int32_t value) {
#pragma omp atomic write
  at = value;
}

}  // namespace

extern "C" void bfs_level(const int32_t* row_pointers, const int32_t* neighbours, int32_t* levels, const int32_t* level, int64_t V,
                          [[maybe_unused]] int64_t E) {
  const int32_t current = *level, next = current + 1;
#pragma omp parallel for schedule(dynamic, 256)
  for (int64_t v = 0; v < V; ++v) {
    if (read(levels[v]) != current) continue;
    for (int32_t e = row_pointers[v]; e < row_pointers[v + 1]; ++e)
      if (int32_t& met = levels[neighbours[e]]; read(met) == -1) write(met, next);
  }
}
