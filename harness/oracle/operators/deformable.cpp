// SPDX-License-Identifier: Apache-2.0
// DeformConv: a convolution whose taps read between the elements, moved by offsets of their own.
#include <fmt/core.h>

#include <cmath>

#include "convolution.h"
#include "reduction.h"

namespace assay::oracle {
namespace {

/// The bilinear value of plane [H, W] at (y, x); elements outside count as 0.
template <class T>
T sample(const T* plane, std::int64_t height, std::int64_t width, T y, T x) {
  const auto top = static_cast<std::int64_t>(std::floor(value_of(y))), left = static_cast<std::int64_t>(std::floor(value_of(x)));
  const T down = y - T(static_cast<double>(top)), right = x - T(static_cast<double>(left));
  const T rows[] = {T(1) - down, down}, columns[] = {T(1) - right, right};
  return sum<T>(4, [&](std::int64_t corner) -> T {
    const std::int64_t i = corner / 2, j = corner % 2;
    const bool inside = top + i >= 0 && top + i < height && left + j >= 0 && left + j < width;
    return inside ? rows[i] * columns[j] * plane[(top + i) * width + left + j] : T(0);
  });
}

/// X [N, C, H, W], W [M, C / group, kh, kw], offset [N, G * kh * kw * 2, oh, ow] as (dy, dx) for each tap of
/// each of G = offset_group groups of channels, B [M] and mask [N, G * kh * kw, oh, ow] optional -> Y [N, M,
/// oh, ow], where tap k of output o reads X at o * stride + k * dilation - pad + offset, times mask. ONNX
/// DeformConv, opset 19 (Zhu et al., "Deformable ConvNets v2", 2018).
const bool deform_conv = define({.name = "DeformConv", .since = 19}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  call.require(call.shape(0).size() == 4, "X must be [N, C, H, W], got " + to_string(call.shape(0)));
  const Convolution c = read_convolution(call, call.shape(0), call.shape(1));
  const Window& w = c.window;
  const std::int64_t taps = w.taps(), outputs = element_count(w.output), channels = c.groups * c.channels, filters = c.groups * c.filters,
                     groups = call.integer("offset_group", 1);
  call.require(groups >= 1 && channels % groups == 0, fmt::format("offset_group {} does not divide {} channels", groups, channels));
  const Shape moves{c.batch, groups * taps * 2, w.output[0], w.output[1]}, weights{c.batch, groups * taps, w.output[0], w.output[1]};
  if (call.shape(2) != moves) call.fail(fmt::format("offset must be {}, got {}", to_string(moves), to_string(call.shape(2))));
  if (call.has_input(4) && call.shape(4) != weights)
    call.fail(fmt::format("mask must be {}, got {}", to_string(weights), to_string(call.shape(4))));
  if (call.has_input(3) && call.shape(3) != Shape{filters})
    call.fail(fmt::format("B must be [{}], got {}", filters, to_string(call.shape(3))));
  call.flops(c.flops() + 11.0 * static_cast<double>(c.batch * channels * taps * outputs));
  Tensor<T>& y = call.template output_like<T>(0, c.output_shape());
  Tensor<T> columns(Shape{channels * taps, outputs});
  const std::int64_t height = w.input[0], width = w.input[1];
  for (std::int64_t n = 0; n < c.batch; ++n) {
    for (std::int64_t row = 0; row < channels * taps; ++row) {
      const std::int64_t channel = row / taps, k = row % taps, group = channel / (channels / groups);
      const T* offset = call.reals(2).data() + ((n * groups + group) * taps + k) * 2 * outputs;
      const T* mask = call.has_input(4) ? call.reals(4).data() + ((n * groups + group) * taps + k) * outputs : nullptr;
      const T* plane = call.reals(0).data() + (n * channels + channel) * height * width;
      for (std::int64_t o = 0; o < outputs; ++o) {
        const auto at = [&](std::size_t d, std::int64_t out, std::int64_t tap) { return T(static_cast<double>(w.position(d, out, tap))); };
        const T value = sample<T>(plane, height, width, at(0, o / w.output[1], k / w.kernel[1]) + offset[o],
                                  at(1, o % w.output[1], k % w.kernel[1]) + offset[outputs + o]);
        columns.data()[row * outputs + o] = mask == nullptr ? value : mask[o] * value;
      }
    }
    T* out = y.data() + n * filters * outputs;
    if (call.has_input(3))
      for (std::int64_t m = 0; m < filters; ++m) std::fill_n(out + m * outputs, outputs, call.reals(3)[static_cast<std::size_t>(m)]);
    for (std::int64_t g = 0; g < c.groups; ++g) {
      const std::int64_t depth = c.channels * taps;
      multiply(row_major(call.reals(1).data() + g * c.filters * depth, c.filters, depth),
               row_major<T>(columns.data() + g * depth * outputs, depth, outputs), out + g * c.filters * outputs, call.has_input(3));
    }
  }
});

}  // namespace
}  // namespace assay::oracle
