#include "kernel.h"

#include <algorithm>

#include <omp.h>

// Rows are independent, so they are dealt out in equal contiguous batches, one or more per
// thread. Large batches keep every thread on its own pages and the hardware prefetchers happy.
extern "C" void masked_cumsum(const float* x, const bool* mask, float* y, int64_t N, int64_t C) {
  const int64_t threads = omp_get_max_threads();
  const int64_t rows_per_batch = N / threads;
  const int64_t batches = (N + rows_per_batch - 1) / rows_per_batch;

#pragma omp parallel for schedule(static)
  for (int64_t b = 0; b < batches; ++b) {
    const int64_t first = b * rows_per_batch;
    const int64_t last = std::min(first + rows_per_batch, N);
    for (int64_t n = first; n < last; ++n) {
      const float* xr = x + n * C;
      const bool* mr = mask + n * C;
      float* yr = y + n * C;
      float sum = 0.0f;
      for (int64_t c = 0; c < C; ++c) {
        sum += mr[c] ? xr[c] : 0.0f;
        yr[c] = sum;
      }
    }
  }
}
