// SPDX-License-Identifier: Apache-2.0
// y[o][t] = sum over c and k of w[c][o][k] x[c][t - k]: a convolution of the input with zeros at both ends. A
// tile of `rows` output channels by two vectors of positions stays in registers through the whole sum over c
// and k.
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
constexpr int64_t taps = 3, width = 2 * lanes;
typedef float vec __attribute__((vector_size(lanes * sizeof(float))));
typedef vec unaligned __attribute__((aligned(sizeof(float)), may_alias));

// [C][O][3] -> [O / rows][C][rows][3], zeros in place of channels beyond O
std::vector<float> pack(const float* w, int64_t C, int64_t O) {
  std::vector<float> packed((O + rows - 1) / rows * C * rows * taps);
  for (int64_t o = 0; o < O; o += rows)
    for (int64_t c = 0; c < C; ++c)
      std::copy_n(w + (c * O + o) * taps, std::min(rows, O - o) * taps, &packed[(o * C + c * rows) * taps]);
  return packed;
}

// x points at the tile's first position in the padded row of channel 0.
void tile(const float* x, int64_t row_length, int64_t C, const float* w, float (&out)[rows][width]) {
  vec sum[rows][2] = {};
  for (int64_t c = 0; c < C; ++c, x += row_length, w += rows * taps) {
    for (int64_t k = 0; k < taps; ++k) {
      vec left = *reinterpret_cast<const unaligned*>(x - k);
      vec right = *reinterpret_cast<const unaligned*>(x - k + lanes);
      for (int64_t r = 0; r < rows; ++r) {
        sum[r][0] += w[r * taps + k] * left;
        sum[r][1] += w[r * taps + k] * right;
      }
    }
  }
  std::memcpy(out, sum, sizeof(sum));
}

}  // namespace

extern "C" void conv_transposed_1d(const float* x, const float* w, float* y, int64_t N, int64_t C, int64_t L,
                                   int64_t O, int64_t OL) {
  std::vector<float> packed = pack(w, C, O);
  int64_t row_length = taps - 1 + (OL + width - 1) / width * width;  // the last tile may overhang
  std::vector<float> padded(C * row_length);
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t c = 0; c < C; ++c) std::copy_n(x + (n * C + c) * L, L, &padded[c * row_length + taps - 1]);
#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t o = 0; o < O; o += rows) {
      for (int64_t t = 0; t < OL; t += width) {
        float out[rows][width];
        tile(&padded[t + taps - 1], row_length, C, &packed[o * C * taps], out);
        for (int64_t r = 0; r < std::min(rows, O - o); ++r)
          std::copy_n(out[r], std::min(width, OL - t), y + (n * O + o + r) * OL + t);
      }
    }
  }
}
