// SPDX-License-Identifier: Apache-2.0
// Convolutions of float32 and their transposes, of one to three axes, as products (product.h): weights times the matrix whose columns are
// what an output position sees, which is written panel by panel and never whole (Chetlur et al., "cuDNN: Efficient Primitives for Deep
// Learning", 2014).
#pragma once

#include "blocks/product.h"

namespace blocks {

/// Of the input, `taps` of the kernel, and of the output; an axis that is not there has 1 of each.
struct Axis {
  int64_t in = 1, taps = 1, out = 1, stride = 1, pad = 0, dilation = 1;

  /// Where tap `tap` at output position i looks; outside of 0 to in - 1 are zeros.
  int64_t seen(int64_t i, int64_t tap) const { return i * stride + tap * dilation - pad; }
};

/// x [N, C, in...], w [O, C / groups, taps...], y [N, O, out...].
struct Convolution {
  int64_t N, C, O, groups = 1;
  Axis depth = {}, height = {}, width = {};

  int64_t taps() const { return depth.taps * height.taps * width.taps; }
  int64_t in() const { return depth.in * height.in * width.in; }
  int64_t out() const { return depth.out * height.out * width.out; }
};

/// Neighbouring output positions of one row.
struct Run {
  int64_t d, h, w, count;
};

/// row[i] = what tap (kd, kh, kw) sees at the run's positions in an image of one channel.
inline void write_seen(const Convolution& s, const float* image, int64_t kd, int64_t kh, int64_t kw, const Run& run, float* row) {
  const int64_t d = s.depth.seen(run.d, kd), h = s.height.seen(run.h, kh), stride = s.width.stride;
  std::fill_n(row, run.count, 0.0f);
  if (d < 0 || d >= s.depth.in || h < 0 || h >= s.height.in) return;
  const float* from = image + (d * s.height.in + h) * s.width.in;
  const int64_t shift = s.width.seen(run.w, kw);
  const int64_t first = shift < 0 ? (-shift + stride - 1) / stride : 0;
  const int64_t last = std::min(run.count, s.width.in > shift ? (s.width.in - shift + stride - 1) / stride : 0);
  if (stride == 1 && first < last) std::memcpy(row + first, from + shift + first, (last - first) * sizeof(float));
  else
    for (int64_t i = first; i < last; ++i) row[i] = from[shift + i * stride];
}

/// Rows k to k + depth of the matrix of what `columns` positions from j on see in channels from `x` on.
inline void pack_seen(const Convolution& s, const float* x, int64_t k, int64_t depth, int64_t j, int64_t columns, PanelRow* panel) {
  Run runs[kColumns];
  int64_t count = 0;
  for (int64_t i = 0; i < columns; i += runs[count++].count) {
    const int64_t w = (j + i) % s.width.out, h = (j + i) / s.width.out;
    runs[count] = {h / s.height.out, h % s.height.out, w, std::min(columns - i, s.width.out - w)};
  }
  int64_t kw = k % s.width.taps, kh = k / s.width.taps % s.height.taps, kd = k / (s.width.taps * s.height.taps) % s.depth.taps;
  const float* image = x + k / s.taps() * s.in();
  for (int64_t r = 0; r < depth; ++r) {
    float* row = reinterpret_cast<float*>(panel + r);
    for (int64_t i = 0; i < count; row += runs[i++].count) write_seen(s, image, kd, kh, kw, runs[i], row);
    if (++kw < s.width.taps) continue;
    kw = 0;
    if (++kh < s.height.taps) continue;
    kh = 0;
    if (++kd < s.depth.taps) continue;
    kd = 0;
    image += s.in();
  }
}

/// y, or y + bias[O] where there is one.
inline void convolve(const Convolution& s, const float* x, const float* w, const float* bias, float* y) {
  const int64_t M = s.O / s.groups, channels = s.C / s.groups, K = channels * s.taps(), P = s.out();
  // A single piece is left to the threads of its product.
#pragma omp parallel for collapse(3) schedule(static) if (s.N * s.groups > 1 || P > kColumnBlock)
  for (int64_t n = 0; n < s.N; ++n)
    for (int64_t g = 0; g < s.groups; ++g)
      for (int64_t j = 0; j < P; j += kColumnBlock) {
        const int64_t columns = std::min(kColumnBlock, P - j);
        const float* image = x + (n * s.C + g * channels) * s.in();
        float* to = y + (n * s.O + g * M) * P + j;
        for (int64_t o = 0; bias != nullptr && o < M; ++o) std::fill_n(to + o * P, columns, bias[g * M + o]);
        const auto pack = [&](int64_t k, int64_t depth, int64_t at, int64_t count, PanelRow* panel) {
          pack_seen(s, image, k, depth, j + at, count, panel);
        };
        packed_product(M, columns, K, row_major(w + g * M * K, K), pack, to, P, bias != nullptr);
      }
}

/// The axis on which a transposed convolution of stride 1 is a convolution with turned weights.
inline Axis turned(const Axis& axis) { return {axis.out, axis.taps, axis.in, 1, (axis.taps - 1) * axis.dilation - axis.pad, axis.dilation}; }

/// w [C, O / groups, taps] as [O, C / groups, taps] from the last tap to the first.
inline std::vector<float> turned(const Convolution& s, const float* w) {
  const int64_t channels = s.C / s.groups, outputs = s.O / s.groups, taps = s.taps();
  std::vector<float> to(s.C * outputs * taps);
  for (int64_t g = 0; g < s.groups; ++g)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t o = 0; o < outputs; ++o)
        std::reverse_copy(w + ((g * channels + c) * outputs + o) * taps, w + ((g * channels + c) * outputs + o + 1) * taps,
                          &to[((g * outputs + o) * channels + c) * taps]);
  return to;
}

/// Adds what one tap sends to an image, a number for each position of the convolution's output.
inline void add_tap(const Convolution& s, int64_t kd, int64_t kh, int64_t kw, const float* from, float* image) {
  const int64_t shift = s.width.seen(0, kw), stride = s.width.stride;
  const int64_t first = shift < 0 ? (-shift + stride - 1) / stride : 0;
  const int64_t last = std::min(s.width.out, s.width.in > shift ? (s.width.in - shift + stride - 1) / stride : 0);
  for (int64_t i = 0; i < s.depth.out; ++i) {
    const int64_t d = s.depth.seen(i, kd);
    if (d < 0 || d >= s.depth.in) continue;
    for (int64_t j = 0; j < s.height.out; ++j) {
      const int64_t h = s.height.seen(j, kh);
      if (h < 0 || h >= s.height.in) continue;
      const float* row = from + (i * s.height.out + j) * s.width.out;
      float* to = image + (d * s.height.in + h) * s.width.in + shift;
      for (int64_t q = first; q < last; ++q) to[q * stride] += row[q];
    }
  }
}

/// The transpose of a convolution: x [N, C, out...], w [C, O / groups, taps...], y [N, O, in...], or y + bias[O] where there is one. `in`
/// and `out` are those of the convolution: what it would read is written here.
inline void convolve_transposed(const Convolution& s, const float* x, const float* w, const float* bias, float* y) {
  if (s.depth.stride == 1 && s.height.stride == 1 && s.width.stride == 1)
    return convolve({s.N, s.C, s.O, s.groups, turned(s.depth), turned(s.height), turned(s.width)}, x, turned(s, w).data(), bias, y);
  const int64_t channels = s.C / s.groups, outputs = s.O / s.groups, taps = s.taps(), P = s.out();
  std::vector<float> sums(outputs * taps * P);
  for (int64_t n = 0; n < s.N; ++n)
    for (int64_t g = 0; g < s.groups; ++g) {
      product(outputs * taps, P, channels, transposed(w + g * channels * outputs * taps, outputs * taps),
              row_major(x + (n * s.C + g * channels) * P, P), sums.data(), P);
#pragma omp parallel for schedule(static)
      for (int64_t o = 0; o < outputs; ++o) {
        float* image = y + (n * s.O + g * outputs + o) * s.in();
        std::fill_n(image, s.in(), bias == nullptr ? 0.0f : bias[g * outputs + o]);
        const float* from = &sums[o * taps * P];
        for (int64_t kd = 0; kd < s.depth.taps; ++kd)
          for (int64_t kh = 0; kh < s.height.taps; ++kh)
            for (int64_t kw = 0; kw < s.width.taps; ++kw, from += P) add_tap(s, kd, kh, kw, from, image);
      }
    }
}

}  // namespace blocks
