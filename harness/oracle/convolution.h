// SPDX-License-Identifier: Apache-2.0
// Convolution over reals or integers, for Conv, ConvInteger and QLinearConv.
#pragma once

#include "assay/oracle/evaluate.h"
#include "product.h"
#include "window.h"

namespace assay::oracle {

/// Extents of one convolution: x [batch, groups * channels, input...], w [groups * filters, channels,
/// kernel...].
struct Convolution {
  Window window;
  std::int64_t batch, groups, channels, filters;

  Shape output_shape() const {
    Shape shape{batch, groups * filters};
    shape.insert(shape.end(), window.output.begin(), window.output.end());
    return shape;
  }
  double flops() const { return 2.0 * static_cast<double>(element_count(output_shape())) * static_cast<double>(channels * window.taps()); }
};

/// Reads group and window attributes of a Conv-like node; `x` and `w` are its shapes.
template <class T>
Convolution read_convolution(const Call<T>& call, const Shape& x, const Shape& w) {
  if (x.size() < 3 || w.size() != x.size())
    call.fail(fmt::format("X must be [N, C, D1, ...] and W of the same rank, got {} and {}", to_string(x), to_string(w)));
  const std::int64_t groups = call.integer("group", 1);
  if (groups < 1 || w[0] % groups != 0 || x[1] != w[1] * groups)
    call.fail(fmt::format("X {} and W {} do not fit {} groups", to_string(x), to_string(w), groups));
  const Shape kernel(w.begin() + 2, w.end());
  if (call.integer_list("kernel_shape", kernel) != kernel)
    call.fail(fmt::format("kernel_shape {} is not W's {}", to_string(call.integer_list("kernel_shape")), to_string(kernel)));
  return {read_window(call, Shape(x.begin() + 2, x.end()), kernel), x[0], groups, w[1], w[0] / groups};
}

namespace detail {
/// One filter per channel, tap by tap over whole rows: im2col would move taps times the data for one use of
/// each element.
template <class E>
void convolve_plane(const Window& w, const E* x, const E* taps, E* out) {
  for_each_row_tap(w, [&](std::int64_t tap, std::int64_t o, std::int64_t count, std::int64_t from) {
    const E weight = taps[tap];
    step_along(out + o, x + from, count, w.stride.back(), [weight](E& y, E value) { y += weight * value; });
  });
}

template <class E>
void convolve_group(const Convolution& c, const E* x, const E* w, E* out, bool accumulate, Tensor<E>& columns) {
  const std::int64_t outputs = element_count(c.window.output), depth = c.channels * c.window.taps();
  const MatrixView<E> weights = row_major(w, c.filters, depth);
  if (c.window.pointwise()) return multiply(weights, row_major(x, depth, outputs), out, accumulate);
  const std::int64_t chunk = columns.shape()[1];
  for (std::int64_t first = 0; first < outputs; first += chunk) {
    const std::int64_t last = std::min(first + chunk, outputs);
    unfold(c.window, x, c.channels, first, last, columns.data());
    multiply(weights, row_major<E>(columns.data(), depth, last - first), out + first, accumulate, outputs);
  }
}
}  // namespace detail

/// out = conv(x, w), or += where `accumulate` (out then holds the bias).
template <class E>
void convolve(const Convolution& c, const E* x, const E* w, E* out, bool accumulate) {
  const std::int64_t outputs = element_count(c.window.output), taps = c.window.taps(), depth = c.channels * taps;
  const std::int64_t in_plane = element_count(c.window.input);
  constexpr std::int64_t limit = 1 << 20;  // elements of im2col at a time: stays in the last-level cache
  const bool direct = c.channels == 1 && std::is_floating_point_v<E> && sum_order() == SumOrder::natural;
  Tensor<E> columns(
      Shape{direct ? 0 : depth, std::clamp<std::int64_t>(limit / std::max<std::int64_t>(depth, 1), 1, std::max<std::int64_t>(outputs, 1))});
  for (std::int64_t g = 0; g < c.batch * c.groups; ++g) {
    const E* input = x + g * c.channels * in_plane;
    const E* weights = w + g % c.groups * c.filters * depth;
    E* to = out + g * c.filters * outputs;
    if constexpr (std::is_floating_point_v<E>) {
      if (direct) {
        if (!accumulate) std::fill_n(to, c.filters * outputs, E(0));
        for (std::int64_t f = 0; f < c.filters; ++f) detail::convolve_plane(c.window, input, weights + f * taps, to + f * outputs);
        continue;
      }
    }
    detail::convolve_group(c, input, weights, to, accumulate, columns);
  }
}

}  // namespace assay::oracle
