// SPDX-License-Identifier: Apache-2.0
// A tile of y, some channels of two vectors each, stays in registers over all channels of x and all taps.
#include <algorithm>
#include <cstring>

#include "kernel.h"

namespace {

#ifdef __AVX512F__
constexpr int kLanes = 16;
constexpr int kRows = 12;
#else
constexpr int kLanes = 8;
constexpr int kRows = 6;
#endif
constexpr int kColumns = 2 * kLanes;

using Vector = float __attribute__((vector_size(kLanes * sizeof(float))));
constexpr int64_t kTaps = 3;

inline Vector load(const float* from) {
  Vector values;
  std::memcpy(&values, from, sizeof values);
  return values;
}

// Of `channels` outputs from `w` on, at the kColumns positions from `x` on. Channels past the last repeat it and are dropped.
inline void convolve_tile(const float* x, const float* w, float* y, int64_t C, int64_t L, int64_t channels, int64_t OL) {
  Vector sum[kRows][2] = {};
  for (int64_t c = 0; c < C; ++c)
    for (int64_t tap = 0; tap < kTaps; ++tap) {
      const float* in = x + c * L + tap;
      const Vector left = load(in), right = load(in + kLanes);
#pragma GCC unroll 12
      for (int r = 0; r < kRows; ++r) {
        const float weight = w[(std::min<int64_t>(r, channels - 1) * C + c) * kTaps + tap];
        sum[r][0] += weight * left;
        sum[r][1] += weight * right;
      }
    }
  for (int64_t r = 0; r < channels; ++r) std::memcpy(y + r * OL, sum[r], sizeof sum[r]);
}

// The same for a row that is shorter than a tile.
void convolve_row(const float* x, const float* w, float* y, int64_t C, int64_t L, int64_t channels, int64_t OL) {
  for (int64_t r = 0; r < channels; ++r)
    for (int64_t i = 0; i < OL; ++i) {
      float sum = 0;
      for (int64_t c = 0; c < C; ++c)
        for (int64_t tap = 0; tap < kTaps; ++tap) sum += w[(r * C + c) * kTaps + tap] * x[c * L + i + tap];
      y[r * OL + i] = sum;
    }
}

}  // namespace

extern "C" void conv_1d(const float* x, const float* w, float* y, int64_t N, int64_t C, int64_t L, int64_t O, int64_t OL) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t o = 0; o < O; o += kRows) {
      const float *in = x + n * C * L, *weights = w + o * C * kTaps;
      float* out = y + (n * O + o) * OL;
      const int64_t channels = std::min<int64_t>(kRows, O - o);
      if (OL < kColumns) {
        convolve_row(in, weights, out, C, L, channels, OL);
        continue;
      }
      // The last tile ends with the row and overlaps the one before it.
      for (int64_t i = 0; i < OL; i += kColumns) {
        const int64_t first = std::min(i, OL - kColumns);
        convolve_tile(in + first, weights, out + first, C, L, channels, OL);
      }
    }
}
