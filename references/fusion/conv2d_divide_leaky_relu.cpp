// SPDX-License-Identifier: Apache-2.0
// Direct convolution. A tile of `rows` output channels by two vectors of columns stays in registers through
// the whole window, and bias, division and leaky ReLU are applied before it is stored. Input rows are copied
// with some space behind them, so that the last tile of a row may overhang.
#include <algorithm>
#include <cstring>
#include <vector>

#include "kernel.h"

namespace {

#ifdef __AVX512F__
constexpr int64_t lanes = 16, rows = 12;
#else
constexpr int64_t lanes = 8, rows = 6;  // 12 of the 16 vector registers
#endif
constexpr int64_t kernel = 3, width = 2 * lanes;
typedef float vec __attribute__((vector_size(lanes * sizeof(float))));
typedef vec unaligned __attribute__((aligned(sizeof(float)), may_alias));

// [O][taps] -> [O / rows][taps][rows], zeros in place of channels beyond O
std::vector<float> pack(const float* w, int64_t O, int64_t taps) {
  std::vector<float> packed((O + rows - 1) / rows * taps * rows);
  for (int64_t o = 0; o < O; ++o)
    for (int64_t t = 0; t < taps; ++t) packed[(o / rows * taps + t) * rows + o % rows] = w[o * taps + t];
  return packed;
}

// x points at the upper left corner of the tile's window in channel 0.
void tile(const float* x, int64_t C, int64_t H, int64_t columns, const float* w, vec (&out)[rows][2]) {
  vec sum[rows][2] = {};
  for (int64_t c = 0; c < C; ++c) {
    for (int64_t kh = 0; kh < kernel; ++kh) {
      const float* row = x + (c * H + kh) * columns;
      for (int64_t kw = 0; kw < kernel; ++kw, w += rows) {
        vec left = *reinterpret_cast<const unaligned*>(row + kw);
        vec right = *reinterpret_cast<const unaligned*>(row + kw + lanes);
        for (int64_t r = 0; r < rows; ++r) {
          sum[r][0] += w[r] * left;
          sum[r][1] += w[r] * right;
        }
      }
    }
  }
  std::memcpy(out, sum, sizeof(sum));
}

void store(const vec (&from)[2], int64_t count, float* to) {
  if (count < width) {
    std::copy_n(reinterpret_cast<const float*>(from), count, to);
    return;
  }
  *reinterpret_cast<unaligned*>(to) = from[0];
  *reinterpret_cast<unaligned*>(to + lanes) = from[1];
}

}  // namespace

extern "C" void conv2d_divide_leaky_relu(const float* x, const float* w, const float* b, float* y, int64_t N,
                                         int64_t C, int64_t H, int64_t W, int64_t O, int64_t OH, int64_t OW) {
  int64_t taps = C * kernel * kernel;
  std::vector<float> packed = pack(w, O, taps);
  int64_t columns = kernel - 1 + (OW + width - 1) / width * width;
  std::vector<float> image(C * H * columns);
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t row = 0; row < C * H; ++row)
      std::copy_n(x + (n * C * H + row) * W, W, &image[row * columns]);
#pragma omp parallel for schedule(static)
    for (int64_t oh = 0; oh < OH; ++oh) {
      for (int64_t o = 0; o < O; o += rows) {
        for (int64_t ow = 0; ow < OW; ow += width) {
          vec out[rows][2];
          tile(&image[oh * columns + ow], C, H, columns, &packed[o * taps], out);
          for (int64_t r = 0; r < std::min(rows, O - o); ++r) {
            for (vec& v : out[r]) {
              v = (v + b[o + r]) * 0.5f;
              v = v < 0.0f ? 0.01f * v : v;
            }
            store(out[r], std::min(width, OW - ow), y + ((n * O + o + r) * OH + oh) * OW + ow);
          }
        }
      }
    }
  }
}
