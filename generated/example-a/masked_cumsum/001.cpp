#include "kernel.h"

// One row per iteration; the mask is applied by multiplication so the loop has no branch.
extern "C" void masked_cumsum(const float* x, const bool* mask, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* xr = x + n * C;
    const bool* mr = mask + n * C;
    float* yr = y + n * C;
    double sum = 0.0;  // double keeps long rows accurate
    for (int64_t c = 0; c < C; ++c) {
      sum += static_cast<double>(xr[c]) * mr[c];
      yr[c] = static_cast<float>(sum);
    }
  }
}
