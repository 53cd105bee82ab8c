// SPDX-License-Identifier: Apache-2.0
// Tensors with borders added or cut off: Pad, CenterCropPad.
#include <fmt/core.h>

#include <numeric>

#include "elementwise.h"
#include "shape_list.h"
#include "strided.h"

namespace assay::oracle {
namespace {

/// Input index that each output index of one dimension shows; -1: the constant.
std::vector<std::int64_t> source_indices(std::int64_t extent, std::int64_t begin, std::int64_t end, const std::string& mode) {
  std::vector<std::int64_t> indices;
  for (std::int64_t o = -begin; o < extent + end; ++o) {
    std::int64_t i = o;
    if (i < 0 || i >= extent) {
      if (mode == "edge") i = std::clamp<std::int64_t>(i, 0, extent - 1);
      else if (mode == "wrap") i = ((i % extent) + extent) % extent;
      else if (mode == "reflect") {
        const std::int64_t period = std::max<std::int64_t>(1, 2 * (extent - 1));
        i = ((i % period) + period) % period;
        if (i >= extent) i = period - i;
      } else i = -1;
    }
    indices.push_back(i);
  }
  return indices;
}

/// A row of the output: its run of consecutive input elements in one copy, the rest one by one.
template <class E>
void fill_row(const E* from, const std::vector<std::int64_t>& indices, std::int64_t begin, std::int64_t extent, E value, E* to) {
  const auto width = static_cast<std::int64_t>(indices.size());
  const std::int64_t first = std::clamp<std::int64_t>(begin, 0, width), last = std::clamp(begin + extent, first, width);
  const auto element = [&](std::int64_t o) {
    const std::int64_t i = indices[static_cast<std::size_t>(o)];
    return from == nullptr || i < 0 ? value : from[i];
  };
  if (from == nullptr) return void(std::fill_n(to, width, value));
  for (std::int64_t o = 0; o < first; ++o) to[o] = element(o);
  std::copy(from + first - begin, from + last - begin, to + first);
  for (std::int64_t o = last; o < width; ++o) to[o] = element(o);
}

template <class C>
void pad(C& call, const Shape& begin, const Shape& end, const std::string& mode) {
  const Shape& shape = call.shape(0);
  Shape out = shape;
  std::vector<std::vector<std::int64_t>> indices;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    out[d] += begin[d] + end[d];
    if (out[d] < 0 || (mode != "constant" && shape[d] == 0 && out[d] > 0))
      call.fail(fmt::format("cannot pad dimension {} of {} by {} and {}", d, to_string(shape), begin[d], end[d]));
    indices.push_back(source_indices(shape[d], begin[d], end[d], mode));
  }
  call.flops(0);
  call.visit(0, [&](const auto& x) {
    using E = std::decay_t<decltype(x[0])>;
    E value(0);
    if (mode == "constant" && call.has_input(2)) {
      const auto* constant = std::get_if<Tensor<E>>(&call.input(2).elements);
      call.require(constant != nullptr && constant->size() == 1, "constant_value must be one element of data's type");
      value = (*constant)[0];
    } else if constexpr (!std::is_integral_v<E>) {
      value = E(call.real("value", 0.0));
    }
    auto& y = call.template output_like<E>(0, out);
    if (shape.empty()) return void(y[0] = x[0]);
    const Strides strides = row_major_strides(shape);
    const std::int64_t width = out.back(), rows = width == 0 ? 0 : static_cast<std::int64_t>(y.size()) / width;
    for (std::int64_t r = 0; r < rows; ++r) {
      std::int64_t rest = r, base = 0;
      for (std::size_t d = out.size() - 1; d-- > 0; rest /= out[d]) {
        const std::int64_t i = indices[d][static_cast<std::size_t>(rest % out[d])];
        base = i < 0 || base < 0 ? -1 : base + i * strides[d];
      }
      fill_row<E>(base < 0 ? nullptr : x.data() + base, indices.back(), begin.back(), shape.back(), value, y.data() + r * width);
    }
  });
}

/// X with pads[d] elements before and pads[n + d] after each dimension (negative: cut off): a constant, or X
/// mirrored without its edge (reflect), its edge repeated (edge), or X from its other end (wrap). ONNX Pad,
/// opset 2 (inputs since 11, axes since 18, wrap since 19).
const bool pad_operator = define({.name = "Pad", .specials = Specials::nan, .since = 2}, [](auto& call) {
  const std::size_t rank = call.shape(0).size();
  const auto pads = list_argument(call, 1, "pads");
  std::vector<std::size_t> axes(rank);
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  axes = axis_list(call, 3, rank).value_or(axes);
  call.require(pads && pads->size() == 2 * axes.size(), "pads needs a begin and an end for each axis");
  Shape begin(rank, 0), end(rank, 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    begin[axes[i]] = (*pads)[i];
    end[axes[i]] = (*pads)[axes.size() + i];
  }
  call.ignore_input(2);  // the constant, of mode constant alone
  const std::string mode = call.text("mode", "constant");
  call.require(mode == "constant" || mode == "reflect" || mode == "edge" || mode == "wrap", "mode '" + mode + "' is not known");
  pad(call, begin, end, mode);
});

/// X cut or padded with 0 about its centre to `shape`. ONNX CenterCropPad, opset 18.
const bool center_crop_pad = define({.name = "CenterCropPad", .specials = Specials::nan, .since = 18}, [](auto& call) {
  const Shape& shape = call.shape(0);
  std::vector<std::size_t> axes(shape.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  axes = axis_list(call, call.input_count(), shape.size()).value_or(axes);
  const auto wanted = call.integer_list(1);
  call.require(wanted.size() == axes.size(), "shape needs one extent for each axis");
  Shape begin(shape.size(), 0), end(shape.size(), 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t grow = wanted[i] - shape[axes[i]];
    begin[axes[i]] = grow > 0 ? grow / 2 : -(-grow / 2);
    end[axes[i]] = grow - begin[axes[i]];
  }
  pad(call, begin, end, "constant");
});

}  // namespace
}  // namespace assay::oracle
