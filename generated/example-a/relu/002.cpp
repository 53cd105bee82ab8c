#include "kernel.h"

#include <algorithm>
#include <atomic>

#include <omp.h>

// Work-stealing ReLU: every thread repeatedly grabs the next chunk of the flattened
// tensor from an atomic counter. The chunk size is a multiple of 16 floats so that
// chunk boundaries coincide with cache lines (no false sharing on the output).
extern "C" void relu(const float* x, float* y, int64_t N, int64_t C) {
  const int64_t total = N * C;
  const int threads = omp_get_max_threads();

  // About eight chunks per thread gives good load balance.
  const int64_t chunk = (total / (8 * threads)) & ~int64_t{15};

  std::atomic<int64_t> next{0};

#pragma omp parallel
  {
    while (true) {
      const int64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= total) break;
      const int64_t end = std::min(begin + chunk, total);
#pragma omp simd
      for (int64_t i = begin; i < end; ++i) {
        y[i] = x[i] > 0.0f ? x[i] : 0.0f;
      }
    }
  }
}
