// SPDX-License-Identifier: Apache-2.0
// Convolutions over any number of spatial dimensions: Conv, ConvTranspose, ConvInteger.
// Inputs are finite: fast algorithms (Winograd, FFT) spread an infinity over a whole tile.
#include "convolution.h"

#include <fmt/core.h>

#include "zero_point.h"

namespace assay::oracle {
namespace {

/// Fills each channel's plane of [batch, channels, plane] with its bias, or with 0 where there is none.
template <class T>
void fill_bias(const Call<T>& call, std::size_t bias, std::int64_t channels, std::int64_t plane, Tensor<T>& y) {
  const Tensor<T>* b = call.has_input(bias) ? &call.reals(bias) : nullptr;
  if (b != nullptr && b->shape() != Shape{channels}) call.fail(fmt::format("bias must be [{}], got {}", channels, to_string(b->shape())));
  const std::int64_t planes = plane == 0 ? 0 : static_cast<std::int64_t>(y.size()) / plane;
  for (std::int64_t p = 0; p < planes; ++p)
    std::fill_n(y.data() + p * plane, plane, b == nullptr ? T(0) : (*b)[static_cast<std::size_t>(p % channels)]);
}

/// Y[n, m, o] = B[m] + sum over c, k of W[m, c, k] X[n, c, o * stride + k * dilation - pad].
/// X [N, C, D1, ...], W [M, C / group, k1, ...], B [M] optional -> [N, M, O1, ...]. ONNX Conv, opset 1.
const bool conv = define({.name = "Conv", .transforms = true}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Convolution c = read_convolution(call, call.shape(0), call.shape(1));
  call.flops(c.flops());
  Tensor<T>& y = call.template output_like<T>(0, c.output_shape());
  const bool biased = call.has_input(2);
  if (biased) fill_bias(call, 2, c.groups * c.filters, element_count(c.window.output), y);
  convolve(c, call.reals(0).data(), call.reals(1).data(), y.data(), biased);
});

/// Conv over (X - x_zero) and (W - w_zero) in int32; w_zero is one or one per filter. ONNX ConvInteger,
/// opset 10.
const bool conv_integer = define({.name = "ConvInteger", .since = 10}, [](auto& call) {
  const Convolution c = read_convolution(call, call.shape(0), call.shape(1));
  call.flops(c.flops());
  const Integers x = centred(call, 0, 2, call.shape(0).size()), w = centred(call, 1, 3, 0);
  convolve(c, x.data(), w.data(), call.integers_out(0, c.output_shape(), ElementType::i32).data(), false);
});

/// The window that, read backwards, takes ConvTranspose's outputs (its `input`) to its inputs (its `output`).
template <class T>
Window read_transposed_window(const Call<T>& call, const Shape& spatial, const Shape& kernel) {
  const std::size_t rank = spatial.size();
  if (call.integer_list("kernel_shape", kernel) != kernel)
    call.fail(fmt::format("kernel_shape {} is not W's {}", to_string(call.integer_list("kernel_shape")), to_string(kernel)));
  const Shape extra = spatial_list(call, "output_padding", rank, 0, 0);
  const Shape pads = spatial_list(call, "pads", 2 * rank, 0, 0);
  const std::string mode = call.text("auto_pad", "NOTSET");
  const bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  Window w{Shape(rank),    kernel, spatial_list(call, "strides", rank, 1, 1), spatial_list(call, "dilations", rank, 1, 1), Shape(rank, 0),
           Shape(rank, 0), spatial};
  Shape wanted = call.integer_list("output_shape");
  if (wanted.size() == rank + 2) wanted.erase(wanted.begin(), wanted.begin() + 2);  // as opset 1 models give it
  if (!wanted.empty() && wanted.size() != rank) call.fail(fmt::format("output_shape needs {} values", rank));
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t full = w.stride[d] * (spatial[d] - 1) + extra[d] + w.reach(d);
    if (wanted.empty() && !same) {
      if (mode == "NOTSET") w.begin[d] = pads[d], w.end[d] = pads[rank + d];
      w.input[d] = full - w.begin[d] - w.end[d];
    } else {
      w.input[d] = wanted.empty() ? spatial[d] * w.stride[d] : wanted[d];
      const std::int64_t total = std::max<std::int64_t>(0, full - w.input[d]);
      w.begin[d] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
      w.end[d] = total - w.begin[d];
    }
  }
  return w;
}

/// The transposed im2col: columns[(c * taps + k), o] = x[c, i] where input i's tap k writes output o, else 0.
template <class T>
Tensor<T> gather_columns(const Window& w, const T* x, std::int64_t channels) {
  const std::int64_t outputs = element_count(w.input), inputs = element_count(w.output);
  Tensor<T> columns(Shape{channels * w.taps(), outputs});
  std::fill(columns.begin(), columns.end(), T(0));
  for (std::int64_t c = 0; c < channels; ++c)
    for_each_tap(
        w, 0, inputs,
        [&](std::int64_t tap, std::int64_t i, std::int64_t count, std::int64_t to, std::int64_t stride) {
          T* row = columns.data() + (c * w.taps() + tap) * outputs + to;
          for (std::int64_t j = 0; j < count; ++j) row[j * stride] = x[c * inputs + i + j];
        },
        [](std::int64_t, std::int64_t, std::int64_t) {});
  return columns;
}

/// W [channels, filters, taps] -> [filters, channels, taps].
template <class T>
Tensor<T> swap_channels(const T* w, std::int64_t channels, std::int64_t filters, std::int64_t taps) {
  Tensor<T> swapped(Shape{filters, channels * taps});
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t f = 0; f < filters; ++f) std::copy_n(w + (c * filters + f) * taps, taps, swapped.data() + (f * channels + c) * taps);
  return swapped;
}

/// y += transposed convolution of one group: x [channels, inputs], w [channels, filters, taps], y [filters,
/// outputs].
template <class T>
void transposed_group(const Window& w, std::int64_t channels, std::int64_t filters, const T* x, const T* weights, T* y) {
  const std::int64_t outputs = element_count(w.input), inputs = element_count(w.output), taps = w.taps();
  if (!std::is_same_v<T, Bounded> && sum_order() == SumOrder::natural) {
    Tensor<T> columns(Shape{filters * taps, inputs});
    multiply(row_major(weights, channels, filters * taps).transposed(), row_major(x, channels, inputs), columns.data());
    return fold(w, columns.data(), filters, y);
  }
  // Each output as one sum, so that its order and its error scale are those of a sum.
  const Tensor<T> columns = gather_columns(w, x, channels);
  const Tensor<T> swapped = swap_channels(weights, channels, filters, taps);
  multiply(row_major(swapped.data(), filters, channels * taps), row_major(columns.data(), channels * taps, outputs), y, true);
}

/// The gradient of Conv with respect to its input: Y[n, m, i * stride + k * dilation - pad] += W[c, m, k]
/// X[n, c, i]. X [N, C, D1, ...], W [C, M / group, k1, ...], B [M] optional -> [N, M, O1, ...]. ONNX
/// ConvTranspose, opset 1.
const bool conv_transpose = define({.name = "ConvTranspose", .transforms = true}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Shape& x = call.shape(0);
  const Shape& w = call.shape(1);
  const std::int64_t groups = call.integer("group", 1);
  if (x.size() < 3 || w.size() != x.size() || groups < 1 || x[1] % groups != 0 || x[1] != w[0])
    call.fail(fmt::format("X {} and W {} do not fit {} groups", to_string(x), to_string(w), groups));
  const Window window = read_transposed_window(call, Shape(x.begin() + 2, x.end()), Shape(w.begin() + 2, w.end()));
  const std::int64_t channels = x[1] / groups, filters = w[1];
  const std::int64_t inputs = element_count(window.output), outputs = element_count(window.input);
  Shape shape{x[0], groups * filters};
  shape.insert(shape.end(), window.input.begin(), window.input.end());
  call.flops(2.0 * static_cast<double>(element_count(x)) * static_cast<double>(filters * window.taps()));
  Tensor<T>& y = call.template output_like<T>(0, shape);
  fill_bias(call, 2, groups * filters, outputs, y);
  for (std::int64_t g = 0; g < x[0] * groups; ++g)
    transposed_group(window, channels, filters, call.reals(0).data() + g * channels * inputs,
                     call.reals(1).data() + g % groups * channels * filters * window.taps(), y.data() + g * filters * outputs);
});

}  // namespace
}  // namespace assay::oracle
