#include "kernel.h"

#include <algorithm>

// A prefix sum is a serial chain of additions, so a single row is bound by the latency of
// the float add. Rows are independent, though: eight rows at once give eight chains that
// overlap in the pipeline, while every row is still read and written contiguously.
namespace {

constexpr int kRows = 8;

void scan_rows(const float* __restrict x, const bool* __restrict mask, float* __restrict y, int64_t C) {
  float running[kRows] = {};
  for (int64_t c = 0; c < C; ++c) {
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      running[r] += x[r * C + c] * static_cast<float>(mask[r * C + c]);
      y[r * C + c] = running[r];
    }
  }
}

void scan_row(const float* __restrict x, const bool* __restrict mask, float* __restrict y, int64_t C) {
  float running = 0.0f;
  for (int64_t c = 0; c < C; ++c) {
    running += x[c] * static_cast<float>(mask[c]);
    y[c] = running;
  }
}

}  // namespace

extern "C" void masked_cumsum(const float* x, const bool* mask, float* y, int64_t N, int64_t C) {
  const int64_t groups = (N + kRows - 1) / kRows;
#pragma omp parallel for schedule(static)
  for (int64_t g = 0; g < groups; ++g) {
    const int64_t begin = g * kRows, end = std::min(begin + kRows, N);
    if (end - begin == kRows) {
      scan_rows(x + begin * C, mask + begin * C, y + begin * C, C);
    } else {
      for (int64_t n = begin; n < end; ++n) scan_row(x + n * C, mask + n * C, y + n * C, C);
    }
  }
}
