// SPDX-License-Identifier: Apache-2.0
// Direct convolution. A vector's lanes are output channels (the weights are repacked so), because with stride
// 4 neighbouring output columns are no contiguous input. One tile of `pixels` columns by three vectors of
// channels stays in registers through the whole window. A zero-padded copy of the image saves all tests for
// its border.
#include <algorithm>
#include <vector>

#include "kernel.h"

namespace {

#ifdef __AVX512F__
constexpr int64_t lanes = 16, pixels = 8;
#else
constexpr int64_t lanes = 8, pixels = 4;  // 12 of the 16 vector registers
#endif
constexpr int64_t kernel = 11, stride = 4, pad = 2, group = 3 * lanes;
typedef float vec __attribute__((vector_size(lanes * sizeof(float))));
struct strip {
  vec v[3];  // one number for each of `group` channels
};

struct padded_image {
  int64_t C, rows, columns;
  std::vector<float> data;
};

void copy_into(padded_image& image, const float* x, int64_t H, int64_t W) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t c = 0; c < image.C; ++c)
    for (int64_t h = 0; h < H; ++h)
      std::copy_n(x + (c * H + h) * W, W, &image.data[(c * image.rows + h + pad) * image.columns + pad]);
}

// [O][C][11][11] -> [O / group][C][11][11][group], zeros in place of channels beyond O
std::vector<strip> pack(const float* w, int64_t O, int64_t taps) {
  std::vector<strip> packed((O + group - 1) / group * taps, strip{});
#pragma omp parallel for schedule(static)
  for (int64_t o = 0; o < O; ++o)
    for (int64_t t = 0; t < taps; ++t)
      packed[o / group * taps + t].v[o % group / lanes][o % lanes] = w[o * taps + t];
  return packed;
}

void tile(const padded_image& image, int64_t h, int64_t column, const strip* w, strip (&out)[pixels]) {
  vec sum[pixels][3] = {};
  for (int64_t c = 0; c < image.C; ++c) {
    for (int64_t kh = 0; kh < kernel; ++kh) {
      const float* row = &image.data[(c * image.rows + h + kh) * image.columns + column];
      for (int64_t kw = 0; kw < kernel; ++kw, ++w) {
        for (int64_t p = 0; p < pixels; ++p)
          for (int64_t q = 0; q < 3; ++q) sum[p][q] += row[p * stride + kw] * w->v[q];
      }
    }
  }
  for (int64_t p = 0; p < pixels; ++p)
    for (int64_t q = 0; q < 3; ++q) out[p].v[q] = sum[p][q];
}

}  // namespace

extern "C" void conv_standard_2d_square_input_square_kernel(const float* x, const float* w, const float* b,
                                                            float* y, int64_t N, int64_t C, int64_t H,
                                                            int64_t W, int64_t O, int64_t OH, int64_t OW) {
  int64_t taps = C * kernel * kernel;
  std::vector<strip> packed = pack(w, O, taps);
  int64_t tiles = (OW + pixels - 1) / pixels;
  int64_t columns =
      std::max(W + 2 * pad, (tiles * pixels - 1) * stride + kernel);  // the last tile may overhang
  padded_image image{C, H + 2 * pad, columns, std::vector<float>(C * (H + 2 * pad) * columns)};
  for (int64_t n = 0; n < N; ++n) {
    copy_into(image, x + n * C * H * W, H, W);
#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t first = 0; first < O; first += group) {
      for (int64_t oh = 0; oh < OH; ++oh) {
        for (int64_t ow = 0; ow < OW; ow += pixels) {
          strip out[pixels];
          tile(image, oh * stride, ow * stride, &packed[first / group * taps], out);
          for (int64_t o = 0; o < std::min(group, O - first); ++o)
            for (int64_t p = 0; p < std::min(pixels, OW - ow); ++p)
              y[((n * O + first + o) * OH + oh) * OW + ow + p] =
                  out[p].v[o / lanes][o % lanes] + b[first + o];
        }
      }
    }
  }
}
