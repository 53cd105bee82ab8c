// SPDX-License-Identifier: Apache-2.0
// Each input row, times one tap, is added to the output row that it serves; an output plane belongs to one thread.
#include <algorithm>

#include "kernel.h"

namespace {

struct Axis {
  int64_t taps, stride, pad, dilation;
};

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

extern "C" void conv_2d_stride_2(const float* x, const float* w, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O,
                                 int64_t KH, int64_t KW, int64_t OH, int64_t OW) {
  const Axis height{KH, 2, 0, 1}, width{KW, 2, 0, 1};
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t o = 0; o < O; ++o) {
      float* plane = y + (n * O + o) * OH * OW;
      std::fill_n(plane, OH * OW, 0.0f);
      for (int64_t c = 0; c < C; ++c)
        for (int64_t kh = 0; kh < height.taps; ++kh)
          for (int64_t kw = 0; kw < width.taps; ++kw) {
            const float weight = w[((o * C + c) * height.taps + kh) * width.taps + kw];
            const Range rows = inside(height, kh, OH, H);
            const Range columns = inside(width, kw, OW, W);
            const int64_t shift = kw * width.dilation - width.pad;
            for (int64_t h = rows.first; h < rows.last; ++h) {
              const float* in = x + ((n * C + c) * H + h * height.stride + kh * height.dilation - height.pad) * W;
              float* __restrict out = plane + h * OW;
#pragma omp simd
              for (int64_t i = columns.first; i < columns.last; ++i) out[i] += weight * in[i * width.stride + shift];
            }
          }
    }
}
