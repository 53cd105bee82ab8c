#include "kernel.h"


// Two-level scan. Each row is cut into segments; (1) every segment's total is computed with a
// vectorisable reduction, (2) the totals are scanned, (3) every segment is scanned starting
// from its offset. Segments of one row are interleaved four at a time, which hides the latency of the adds.
namespace {

constexpr int kWays = 4;

void scan_row(const float* __restrict x, const bool* __restrict mask, float* __restrict y, int64_t C) {
  const int64_t segment = C / kWays;
  float start[kWays] = {};
  for (int w = 1; w < kWays; ++w) {
    const int64_t base = (w - 1) * segment;
    float total = 0.0f;
#pragma omp simd reduction(+ : total)
    for (int64_t i = 0; i < segment; ++i) total += x[base + i] * static_cast<float>(mask[base + i]);
    start[w] = start[w - 1] + total;
  }

  for (int64_t i = 0; i < segment; ++i) {
    for (int w = 0; w < kWays; ++w) {
      const int64_t at = w * segment + i;
      start[w] += x[at] * static_cast<float>(mask[at]);
      y[at] = start[w];
    }
  }

  // What is left over after kWays equal segments continues from the last one.
  float running = start[kWays - 1];
  for (int64_t c = kWays * segment; c < C; ++c) {
    running += x[c] * static_cast<float>(mask[c]);
    y[c] = running;
  }
}

}  // namespace

extern "C" void masked_cumsum(const float* x, const bool* mask, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) scan_row(x + n * C, mask + n * C, y + n * C, C);
}
