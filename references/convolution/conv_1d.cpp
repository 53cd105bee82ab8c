// SPDX-License-Identifier: Apache-2.0
// The whole input row, times one tap, is added to an output row, which belongs to one thread.
#include <algorithm>

#include "kernel.h"

namespace {

struct Axis {
  int64_t taps, stride, pad, dilation;
};
constexpr Axis width{3, 1, 0, 1};

struct Range {
  int64_t first, last;
};

// The output positions i < `positions` at which the input i * stride + tap * dilation - pad lies inside `size` elements.
inline Range inside(const Axis& axis, int64_t tap, int64_t positions, int64_t size) {
  const int64_t shift = axis.pad - tap * axis.dilation;
  const int64_t first = (shift + axis.stride - 1) / axis.stride;
  const int64_t last = (size + shift + axis.stride - 1) / axis.stride;
  return {std::max<int64_t>(first, 0), std::min(last, positions)};
}

}  // namespace

extern "C" void conv_1d(const float* x, const float* w, float* y, int64_t N, int64_t C, int64_t L, int64_t O, int64_t OL) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t o = 0; o < O; ++o) {
      float* row = y + (n * O + o) * OL;
      std::fill_n(row, OL, 0.0f);
      for (int64_t c = 0; c < C; ++c)
        for (int64_t k = 0; k < width.taps; ++k) {
          const float weight = w[(o * C + c) * width.taps + k];
          const Range columns = inside(width, k, OL, L);
          const int64_t shift = k * width.dilation - width.pad;
          const float* in = x + (n * C + c) * L;
          float* __restrict out = row;
#pragma omp simd
          for (int64_t i = columns.first; i < columns.last; ++i) out[i] += weight * in[i * width.stride + shift];
        }
    }
}
