// SPDX-License-Identifier: Apache-2.0
// The sliding window of convolutions and poolings: which input element each tap of each output reads.
// First Window, then how it is read from a node, then unfold (im2col) and its adjoint fold (col2im).
#pragma once

#include <fmt/core.h>

#include <algorithm>

#include "assay/oracle/operator.h"

namespace assay::oracle {

/// Per spatial dimension: output o, tap k reads input position o * stride + k * dilation - begin.
struct Window {
  Shape input, kernel, stride, dilation, begin, end, output;

  std::size_t rank() const { return input.size(); }
  std::int64_t taps() const { return element_count(kernel); }
  std::int64_t position(std::size_t d, std::int64_t o, std::int64_t k) const { return o * stride[d] + k * dilation[d] - begin[d]; }
  std::int64_t reach(std::size_t d) const { return (kernel[d] - 1) * dilation[d] + 1; }
  /// Outputs [first, last) of dimension d whose tap k falls inside the input.
  std::pair<std::int64_t, std::int64_t> outputs_inside(std::size_t d, std::int64_t k) const {
    const std::int64_t shift = begin[d] - k * dilation[d];
    const std::int64_t first = shift <= 0 ? 0 : (shift + stride[d] - 1) / stride[d];
    const std::int64_t room = input[d] - 1 + shift;
    const std::int64_t last = room < 0 ? 0 : std::min(room / stride[d] + 1, output[d]);
    return {std::min(first, last), last};
  }
  bool pointwise() const {
    const auto all = [](const Shape& s, std::int64_t x) { return std::all_of(s.begin(), s.end(), [x](auto e) { return e == x; }); };
    return all(kernel, 1) && all(stride, 1) && all(begin, 0) && all(end, 0);
  }
};

/// The next index of `extents` in row-major order; false after the last.
inline bool advance(Shape& index, const Shape& extents) {
  for (std::size_t d = extents.size(); d-- > 0;) {
    if (++index[d] < extents[d]) return true;
    index[d] = 0;
  }
  return false;
}

/// One value per spatial dimension, from an attribute.
template <class T>
Shape spatial_list(const Call<T>& call, const std::string& name, std::size_t count, std::int64_t fallback, std::int64_t least) {
  Shape list = call.integer_list(name, Shape(count, fallback));
  if (list.size() != count) call.fail(fmt::format("attribute '{}' needs {} values, got {}", name, count, list.size()));
  for (const std::int64_t x : list)
    if (x < least) call.fail(fmt::format("attribute '{}' must be at least {}, got {}", name, least, x));
  return list;
}

/// auto_pad, pads, strides, dilations and ceil_mode of Conv and the poolings (ONNX 17), over `spatial` input
/// extents.
template <class T>
Window read_window(const Call<T>& call, const Shape& spatial, Shape kernel) {
  const std::size_t rank = spatial.size();
  if (kernel.size() != rank) call.fail(fmt::format("kernel {} does not fit {} spatial dimensions", to_string(kernel), rank));
  Window w{spatial,
           std::move(kernel),
           spatial_list(call, "strides", rank, 1, 1),
           spatial_list(call, "dilations", rank, 1, 1),
           Shape(rank, 0),
           Shape(rank, 0),
           Shape(rank, 0)};
  const std::string mode = call.text("auto_pad", "NOTSET");
  const bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  if (!same && mode != "NOTSET" && mode != "VALID") call.fail("auto_pad '" + mode + "' is not known");
  const bool ceil_mode = call.integer("ceil_mode", 0) != 0;
  const Shape pads = spatial_list(call, "pads", 2 * rank, 0, 0);
  for (std::size_t d = 0; d < rank; ++d) {
    if (same) {
      w.output[d] = (spatial[d] + w.stride[d] - 1) / w.stride[d];
      const std::int64_t total = std::max<std::int64_t>(0, (w.output[d] - 1) * w.stride[d] + w.reach(d) - spatial[d]);
      w.begin[d] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
      w.end[d] = total - w.begin[d];
      continue;
    }
    if (mode == "NOTSET") w.begin[d] = pads[d], w.end[d] = pads[rank + d];
    const std::int64_t slack = spatial[d] + w.begin[d] + w.end[d] - w.reach(d);
    if (slack < 0)
      call.fail(fmt::format("kernel reaches over {} elements, dimension {} has {} with padding", w.reach(d), d, slack + w.reach(d)));
    w.output[d] = slack / w.stride[d] + 1;
    // A last window that ceil_mode adds must not start in the padding behind the input.
    if (ceil_mode && slack % w.stride[d] != 0 && w.output[d] * w.stride[d] < spatial[d] + w.begin[d]) ++w.output[d];
  }
  return w;
}

namespace detail {
/// Output rows (the last dimension left out) one after another, without a division for each.
class RowCursor {
 public:
  RowCursor(const Window& w, std::int64_t row) : window_(w), index_(w.rank() - 1) {
    for (std::size_t d = index_.size(); d-- > 0; row /= w.output[d]) index_[d] = row % w.output[d];
  }
  void next() {
    for (std::size_t d = index_.size(); d-- > 0; index_[d] = 0)
      if (++index_[d] < window_.output[d]) return;
  }
  /// Offset of the input row that tap `k` reads, or -1: padding.
  std::int64_t input_row(const Shape& k) const {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < index_.size(); ++d) {
      const std::int64_t at = window_.position(d, index_[d], k[d]);
      if (at < 0 || at >= window_.input[d]) return -1;
      offset = offset * window_.input[d] + at;
    }
    return offset * window_.input.back();
  }

 private:
  const Window& window_;
  Shape index_;
};
}  // namespace detail

/// Visits the runs of outputs [first, last) tap by tap: run(tap, flattened output, count, input offset, input
/// stride), and padding(tap, flattened output, count) where the tap lies outside the input.
template <class Run, class Padding>
void for_each_tap(const Window& w, std::int64_t first, std::int64_t last, Run&& run, Padding&& padding) {
  if (first >= last) return;
  const std::size_t d = w.rank() - 1;
  const std::int64_t width = w.output[d], stride = w.stride[d];
  const detail::RowCursor start(w, first / width);
  Shape k(w.rank(), 0);
  std::int64_t tap = 0;
  do {
    const auto [low, high] = w.outputs_inside(d, k[d]);
    const std::int64_t shift = k[d] * w.dilation[d] - w.begin[d];
    detail::RowCursor row = start;
    for (std::int64_t at = first, begin = first % width; at < last; begin = 0, row.next()) {
      const std::int64_t end = std::min(width, begin + last - at), base = row.input_row(k);
      const std::int64_t a = std::clamp(low, begin, end), b = base < 0 ? a : std::clamp(high, a, end);
      if (a > begin) padding(tap, at, a - begin);
      if (b > a) run(tap, at + a - begin, b - a, base + a * stride + shift, stride);
      if (end > b) padding(tap, at + b - begin, end - b);
      at += end - begin;
    }
    ++tap;
  } while (advance(k, w.kernel));
}

/// Visits the same runs row by row: run(tap, flattened output, count, input offset). For what accumulates
/// into its output, which then stays in the first-level cache.
template <class Run>
void for_each_row_tap(const Window& w, Run&& run) {
  if (element_count(w.output) == 0) return;
  const std::size_t d = w.rank() - 1;
  struct Inner {
    std::int64_t low, count, from;
  };
  std::vector<Inner> inner;
  for (std::int64_t k = 0; k < w.kernel[d]; ++k) {
    const auto [low, high] = w.outputs_inside(d, k);
    inner.push_back({low, high - low, w.position(d, low, k)});
  }
  const Shape outer(w.kernel.begin(), w.kernel.end() - 1);
  const std::int64_t width = w.output[d], rows = element_count(w.output) / width;
  detail::RowCursor row(w, 0);
  for (std::int64_t r = 0; r < rows; ++r, row.next()) {
    Shape k(d, 0);
    std::int64_t tap = 0;
    do {
      const std::int64_t base = row.input_row(k);
      for (const Inner& i : inner) {
        if (base >= 0 && i.count > 0) run(tap, r * width + i.low, i.count, base + i.from);
        ++tap;
      }
    } while (advance(k, outer));
  }
}

/// step(output, input) for `count` outputs in a row that read every stride-th input.
template <class E, class Step>
void step_along(E* out, const E* in, std::int64_t count, std::int64_t stride, Step&& step) {
  if (stride == 1)
    for (std::int64_t i = 0; i < count; ++i) step(out[i], in[i]);
  else if (stride == 2)
    for (std::int64_t i = 0; i < count; ++i) step(out[i], in[2 * i]);  // vectorised by shuffles
  else
    for (std::int64_t i = 0; i < count; ++i) step(out[i], in[i * stride]);
}

/// im2col of outputs [first, last): columns[(c * taps + k) * (last - first) + o - first] = x[c, o, k], 0 in
/// the padding.
template <class E>
void unfold(const Window& w, const E* x, std::int64_t channels, std::int64_t first, std::int64_t last, E* columns) {
  const std::int64_t plane = element_count(w.input), width = last - first;
  for (std::int64_t c = 0; c < channels; ++c, x += plane, columns += w.taps() * width)
    for_each_tap(
        w, first, last,
        [&](std::int64_t tap, std::int64_t o, std::int64_t count, std::int64_t from, std::int64_t stride) {
          E* to = columns + tap * width + o - first;
          if (stride == 1) std::copy_n(x + from, count, to);
          else
            for (std::int64_t i = 0; i < count; ++i) to[i] = x[from + i * stride];
        },
        [&](std::int64_t tap, std::int64_t o, std::int64_t count) { std::fill_n(columns + tap * width + o - first, count, E(0)); });
}

/// col2im, the adjoint of unfold over all outputs: x[c, o, k] += columns[(c * taps + k) * outputs + o].
template <class E>
void fold(const Window& w, const E* columns, std::int64_t channels, E* x) {
  const std::int64_t plane = element_count(w.input), width = element_count(w.output);
  for (std::int64_t c = 0; c < channels; ++c, x += plane, columns += w.taps() * width)
    for_each_tap(
        w, 0, width,
        [&](std::int64_t tap, std::int64_t o, std::int64_t count, std::int64_t from, std::int64_t stride) {
          const E* source = columns + tap * width + o;
          if (stride == 1)
            for (std::int64_t i = 0; i < count; ++i) x[from + i] += source[i];
          else
            for (std::int64_t i = 0; i < count; ++i) x[from + i * stride] += source[i];
        },
        [](std::int64_t, std::int64_t, std::int64_t) {});
}

}  // namespace assay::oracle
