// SPDX-License-Identifier: Apache-2.0
// Convolutions of float32 and their transposes, of one to three axes, as products (product.h): weights times the matrix whose columns are
// what an output position sees. The input is copied once with its padding, each stride's remainders apart, so that what a tap sees at
// neighbouring positions are neighbours: the product reads the matrix there, and it is never written. Sums between two rows are computed
// too, and dropped (after Dukhan, "The Indirect Convolution Algorithm", arXiv:1907.02129, 2019).
#pragma once

#include <numeric>

#include "blocks/product.h"

namespace blocks {

/// Of the input, `taps` of the kernel, and of the output; an axis that is not there has 1 of each.
struct Axis {
  int64_t in = 1, taps = 1, out = 1, stride = 1, pad = 0, dilation = 1;

  /// Where tap `tap` at output position i looks; outside of 0 to in - 1 are zeros.
  int64_t seen(int64_t i, int64_t tap) const { return i * stride + tap * dilation - pad; }

  /// Part r of the copy has what is seen(i, 0) + r for its positions i: tap t looks at i + t * dilation / stride of part t * dilation %
  /// stride.
  int64_t reach() const { return std::max<int64_t>(0, taps - 1) * dilation; }
  int64_t parts() const { return std::min(stride, reach() + 1); }
  int64_t length() const { return out + reach() / stride; }
  /// Positions first(r) to end(r) - 1 of it lie in the input.
  int64_t first(int64_t r) const { return std::max<int64_t>(0, (pad - r + stride - 1) / stride); }
  int64_t end(int64_t r) const { return std::clamp<int64_t>((in + pad - r + stride - 1) / stride, 0, length()); }
};

/// x [N, C, in...], w [O, C / groups, taps...], y [N, O, out...].
struct Convolution {
  int64_t N, C, O, groups = 1;
  Axis depth = {}, height = {}, width = {};

  int64_t taps() const { return depth.taps * height.taps * width.taps; }
  int64_t in() const { return depth.in * height.in * width.in; }
  int64_t out() const { return depth.out * height.out * width.out; }

  /// Where position (d, h, w) of a part lies in the copy of a channel, of size copied().
  int64_t place(int64_t d, int64_t h, int64_t w) const { return (d * height.length() + h) * width.length() + w; }
  int64_t part(int64_t d, int64_t h, int64_t w) const {
    return ((d * height.parts() + h) * width.parts() + w) * place(depth.length(), 0, 0);
  }
  int64_t copied() const { return part(depth.parts(), 0, 0); }
};

/// Copies a channel; what is padding stays.
inline void copy_channel(const Convolution& s, const float* from, float* to) {
  const int64_t stride = s.width.stride, pitch = s.width.length(), area = s.place(1, 0, 0);
  for (int64_t rd = 0; rd < s.depth.parts(); ++rd)
    for (int64_t rh = 0; rh < s.height.parts(); ++rh)
      for (int64_t rw = 0; rw < s.width.parts(); ++rw) {
        const int64_t first = s.width.first(rw), count = s.width.end(rw) - first;
        float* part = to + s.part(rd, rh, rw) + first;
        for (int64_t d = s.depth.first(rd), last = s.depth.end(rd); d < last; ++d)
          for (int64_t h = s.height.first(rh), end = s.height.end(rh); h < end; ++h) {
            const float* row =
                from + ((s.depth.seen(d, 0) + rd) * s.height.in + s.height.seen(h, 0) + rh) * s.width.in + s.width.seen(first, 0) + rw;
            float* at = part + d * area + h * pitch;
            if (stride == 1) std::copy_n(row, count, at);
            else if (stride == 2)  // this loop takes vectors
              for (int64_t i = 0; i < count; ++i) at[i] = row[2 * i];
            else
              for (int64_t i = 0; i < count; ++i) at[i] = row[i * stride];
          }
      }
}

/// Where each tap looks in the copies of `channels` channels from position 0.
inline std::vector<int64_t> seen_by_taps(const Convolution& s, int64_t channels) {
  std::vector<int64_t> at;
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t i = 0; i < s.depth.taps; ++i)
      for (int64_t j = 0; j < s.height.taps; ++j)
        for (int64_t k = 0; k < s.width.taps; ++k) {
          const int64_t d = i * s.depth.dilation, h = j * s.height.dilation, w = k * s.width.dilation;
          at.push_back(c * s.copied() + s.part(d % s.depth.stride, h % s.height.stride, w % s.width.stride) +
                       s.place(d / s.depth.stride, h / s.height.stride, w / s.width.stride));
        }
  return at;
}

/// Outputs that are computed at once: `rows` times `width` of a plane, at most some 256, with as few tiles for a plane as can be.
struct Span {
  int64_t rows = 1, width, pitch, tiles = 0;

  explicit Span(const Convolution& s) : width(std::clamp<int64_t>(s.width.out, 1, 512)), pitch(s.width.length()) {
    for (int64_t r = 1; r == 1 || (r <= s.height.out && r * pitch <= 256); ++r) {
      const int64_t count = s.height.out / r * tiles_of(r) + tiles_of(s.height.out % r);
      if (r == 1 || count <= tiles) rows = r, tiles = count;
    }
  }
  int64_t tiles_of(int64_t count) const { return count == 0 ? 0 : ((count - 1) * pitch + width + kColumns - 1) / kColumns; }
};

/// From the copies of all channels; by all threads of a team.
template <int Rows>
void convolve_copies(const Convolution& s, const float* copies, const float* w, const float* bias, float* y) {
  const int64_t M = s.O / s.groups, channels = s.C / s.groups, K = channels * s.taps();
  const std::vector<int64_t> places = seen_by_taps(s, channels);
  const Span span(s);
  const int64_t stride = span.tiles_of(span.rows) * kColumns;
  std::vector<PanelRow> room(stride / kColumns * Rows);
  float* sums = reinterpret_cast<float*>(room.data());
  std::vector<float> strip(Rows * K);
  const float* packed = nullptr;  // what of w is in the strip
#pragma omp for collapse(6) schedule(static)
  for (int64_t g = 0; g < s.groups; ++g)
    for (int64_t i = 0; i < M; i += Rows)
      for (int64_t n = 0; n < s.N; ++n)
        for (int64_t d = 0; d < s.depth.out; ++d)
          for (int64_t h = 0; h < s.height.out; h += span.rows)
            for (int64_t v = 0; v < s.width.out; v += span.width) {
              const int64_t outputs = std::min<int64_t>(Rows, M - i), first = g * M + i;
              for (int64_t k = 0; k < K && packed != w + first * K; k += kDepthBlock)
                pack_strip<Rows>({w + first * K + k, K, 1}, outputs, std::min(kDepthBlock, K - k), &strip[k * Rows]);
              packed = w + first * K;
              const int64_t rows = std::min(span.rows, s.height.out - h), width = std::min(span.width, s.width.out - v);
              const float* from = copies + (n * s.C + g * channels) * s.copied() + s.place(d, h, v);
              for (int64_t k = 0; k == 0 || k < K; k += kDepthBlock)
                for (int64_t p = 0; p < (rows - 1) * span.pitch + width; p += kColumns) {
                  Vector tile[kRows][2];
                  const auto row = [at = from + p, places = places.data() + k](int64_t tap) { return at + places[tap]; };
                  multiply_rows<Rows>(std::min(kDepthBlock, K - k), strip.data() + k * Rows, row, tile);
                  store_tile(tile, Rows, kColumns, k > 0, sums + p, stride);
                }
              for (int64_t o = 0; o < outputs; ++o)
                for (int64_t j = 0; j < rows; ++j) {
                  const float b = bias == nullptr ? 0 : bias[first + o];
                  const float* sum = sums + o * stride + j * span.pitch;
                  float* to = y + (((n * s.O + first + o) * s.depth.out + d) * s.height.out + h + j) * s.width.out + v;
                  for (int64_t q = 0; q < width; ++q) to[q] = sum[q] + b;
                }
            }
}

/// y, or y + bias[O] where there is one.
inline void convolve(const Convolution& s, const float* x, const float* w, const float* bias, float* y) {
  std::vector<float> copies(s.N * s.C * s.copied() + kColumns);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int64_t i = 0; i < s.N * s.C; ++i) copy_channel(s, x + i * s.in(), &copies[i * s.copied()]);
    with_rows(s.O / s.groups, [&]<int Rows>() { convolve_copies<Rows>(s, copies.data(), w, bias, y); });
  }
}

/// An axis of a transposed convolution, of the outputs that leave remainder r on division by the stride: a convolution of stride 1 with
/// taps first, first + step and so on, turned.
struct Remainder {
  Axis axis;
  int64_t first, step;

  Remainder(const Axis& s, int64_t r) : first(0), step(s.stride / std::gcd(s.stride, s.dilation)) {
    while (first < s.taps && (r + s.pad - first * s.dilation) % s.stride != 0) ++first;
    const int64_t taps = (s.taps - first + step - 1) / step, dilation = step * s.dilation / s.stride;
    axis = {s.out,   taps, (s.in - r + s.stride - 1) / s.stride, 1, (taps - 1) * dilation - (r + s.pad - first * s.dilation) / s.stride,
            dilation};
  }
  int64_t tap(int64_t i) const { return first + (axis.taps - 1 - i) * step; }
};

/// The weights w [C, O / groups, taps] of remainders as [O, C / groups, taps].
inline std::vector<float> turned(const Convolution& s, const Remainder& d, const Remainder& h, const Remainder& w, const float* from) {
  const int64_t channels = s.C / s.groups, outputs = s.O / s.groups;
  std::vector<float> to(s.O * channels * d.axis.taps * h.axis.taps * w.axis.taps);
  float* at = to.data();
  for (int64_t o = 0; o < s.O; ++o)
    for (int64_t c = o / outputs * channels; c < (o / outputs + 1) * channels; ++c)
      for (int64_t i = 0; i < d.axis.taps; ++i)
        for (int64_t j = 0; j < h.axis.taps; ++j)
          for (int64_t k = 0; k < w.axis.taps; ++k)
            *at++ = from[(((c * outputs + o % outputs) * s.depth.taps + d.tap(i)) * s.height.taps + h.tap(j)) * s.width.taps + w.tap(k)];
  return to;
}

/// The transpose of a convolution: x [N, C, out...], w [C, O / groups, taps...], y [N, O, in...], or y + bias[O] where there is one. `in`
/// and `out` are those of the convolution: what it would read is written here.
inline void convolve_transposed(const Convolution& s, const float* x, const float* w, const float* bias, float* y) {
  const int64_t stride = s.width.stride;
  std::vector<std::vector<float>> parts(stride);
  for (int64_t rd = 0; rd < s.depth.stride; ++rd)
    for (int64_t rh = 0; rh < s.height.stride; ++rh) {
      const Remainder d(s.depth, rd), h(s.height, rh);
      for (int64_t rw = 0; rw < stride; ++rw) {
        const Remainder v(s.width, rw);
        const Convolution part{s.N, s.C, s.O, s.groups, d.axis, h.axis, v.axis};
        const std::vector<float> weights = turned(s, d, h, v, w);
        if (part.out() == s.in()) return convolve(part, x, weights.data(), bias, y);
        parts[rw].resize(s.N * s.O * part.out());
        convolve(part, x, weights.data(), bias, parts[rw].data());
      }
#pragma omp parallel for collapse(3) schedule(static)
      for (int64_t plane = 0; plane < s.N * s.O; ++plane)
        for (int64_t i = 0; i < d.axis.out; ++i)
          for (int64_t j = 0; j < h.axis.out; ++j) {
            float* to = y + ((plane * s.depth.in + i * s.depth.stride + rd) * s.height.in + j * s.height.stride + rh) * s.width.in;
            const int64_t row = (plane * d.axis.out + i) * h.axis.out + j, pairs = stride == 2 ? s.width.in / 2 : 0;
            const float *even = parts[0].data() + row * (s.width.in - pairs), *odd = parts[stride - 1].data() + row * pairs;
            for (int64_t k = 0; k < pairs; ++k) to[2 * k] = even[k], to[2 * k + 1] = odd[k];  // this loop takes vectors
            for (int64_t k = 2 * pairs; k < s.width.in; ++k) {
              const int64_t rw = k % stride;
              to[k] = parts[rw][row * ((s.width.in - rw + stride - 1) / stride) + k / stride];
            }
          }
    }
}

}  // namespace blocks
