// SPDX-License-Identifier: Apache-2.0
// Each window is summed afresh, as a tree of eight: a running sum would drag rounding and NaN along the row.
// Inner windows are whole and vectorise; the outer ones leave out what lies in the padding.
#include <algorithm>
#include <cstdint>

#include "kernel.h"

namespace {

constexpr int64_t kWindow = 8;
constexpr int64_t kPadding = 4;

float cut_window(const float* row, int64_t L, int64_t j) {
  float sum = 0;
  for (int64_t i = std::max<int64_t>(j - kPadding, 0); i < std::min(j - kPadding + kWindow, L); ++i)
    sum += row[i];
  return sum / kWindow;
}

}  // namespace

extern "C" void average_pooling_1d(const float* x, float* y, int64_t N, int64_t C, int64_t L, int64_t OL) {
#pragma omp parallel for
  for (int64_t r = 0; r < N * C; ++r) {
    const float* row = x + r * L;
    float* __restrict out = y + r * OL;
    const int64_t whole_begin = std::min(kPadding, OL);
    const int64_t whole_end = std::max(whole_begin, L - kWindow + kPadding + 1);
    for (int64_t j = 0; j < whole_begin; ++j) out[j] = cut_window(row, L, j);
#pragma omp simd
    for (int64_t j = whole_begin; j < whole_end; ++j) {
      const float* w = row + j - kPadding;
      out[j] = (((w[0] + w[1]) + (w[2] + w[3])) + ((w[4] + w[5]) + (w[6] + w[7]))) / kWindow;
    }
    for (int64_t j = whole_end; j < OL; ++j) out[j] = cut_window(row, L, j);
  }
}
