// SPDX-License-Identifier: Apache-2.0
// Reading through indices: Gather, GatherElements, GatherND, OneHot. Indices count from the end where
// negative. Writing through indices is in scatter.cpp, selecting by value in select.cpp.
#include <fmt/core.h>

#include "index_list.h"
#include "strided.h"

namespace assay::oracle {
namespace {

/// Y = X with dimension `axis` replaced by the shape of indices: Y[i, j, k] = X[i, indices[j], k]. ONNX
/// Gather, opset 1.
const bool gather = define({.name = "Gather", .specials = Specials::nan}, [](auto& call) {
  const Shape& shape = call.shape(0);
  const std::size_t axis = call.axis(call.integer("axis", 0), shape.size());
  const Shape& index_shape = call.shape(1);
  const auto indices = resolved_indices(call, 1, shape[axis]);
  const auto at = shape.begin() + static_cast<std::ptrdiff_t>(axis);
  Shape out(shape.begin(), at);
  out.insert(out.end(), index_shape.begin(), index_shape.end());
  out.insert(out.end(), at + 1, shape.end());
  const std::int64_t outer = element_count({shape.begin(), at}), inner = element_count({at + 1, shape.end()});
  call.flops(0);
  call.visit(0, [&](const auto& x) {
    using E = std::decay_t<decltype(x[0])>;
    E* to = call.template output_like<E>(0, out).data();
    for (std::int64_t o = 0; o < outer; ++o) {
      const E* from = x.data() + o * shape[axis] * inner;
      if (inner == 1) {
        for (const std::int64_t i : indices) *to++ = from[i];
        continue;
      }
      for (const std::int64_t i : indices) to = std::copy_n(from + i * inner, inner, to);
    }
  });
});

/// Y[i, j] = X[i, indices[i, j]] along `axis`; Y has the shape of indices. ONNX GatherElements, opset 11.
const bool gather_elements = define({.name = "GatherElements", .specials = Specials::nan, .since = 11}, [](auto& call) {
  const std::size_t axis = call.axis(call.integer("axis", 0), call.shape(0).size());
  const auto offsets = element_offsets(call, call.shape(0), 1, axis);
  call.flops(0);
  call.visit(0, [&](const auto& x) {
    auto& y = call.template output_like<std::decay_t<decltype(x[0])>>(0, call.shape(1));
    for (std::size_t i = 0; i < offsets.size(); ++i) y[i] = x.data()[offsets[i]];
  });
});

/// Y[b, i] = X[b, indices[b, i, 0], indices[b, i, 1], ...], the first batch_dims dimensions in common.
/// ONNX GatherND, opset 11 (batch_dims since 12).
const bool gather_nd = define({.name = "GatherND", .specials = Specials::nan, .since = 11}, [](auto& call) {
  const Shape& shape = call.shape(0);
  const Shape& index_shape = call.shape(1);
  const auto batch_dims = static_cast<std::size_t>(call.integer("batch_dims", 0));
  call.require(!index_shape.empty() && batch_dims < index_shape.size() && batch_dims < shape.size() &&
                   std::equal(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(batch_dims), index_shape.begin()),
               "data and indices must share their first batch_dims dimensions");
  const SliceOffsets slices = slice_offsets(call, shape, 1, batch_dims);
  Shape out(index_shape.begin(), index_shape.end() - 1);
  out.insert(out.end(), shape.end() - static_cast<std::ptrdiff_t>(slices.rank), shape.end());
  call.flops(0);
  call.visit(0, [&](const auto& x) {
    auto* to = call.template output_like<std::decay_t<decltype(x[0])>>(0, out).data();
    for (const std::int64_t offset : slices.offsets) to = std::copy_n(x.data() + offset, slices.size, to);
  });
});

/// values[1] where the new dimension's index equals the input's element, else values[0]; an element outside
/// [-depth, depth) gives values[0] throughout. ONNX OneHot, opset 9.
const bool one_hot = define({.name = "OneHot", .specials = Specials::finite, .since = 9}, [](auto& call) {
  const auto indices = as_integers(call, 0), depths = as_integers(call, 1);
  call.require(depths.size() == 1 && depths[0] > 0, "depth must be one positive number");
  const std::int64_t depth = depths[0];
  Shape out = call.shape(0);
  const std::size_t axis = call.axis(call.integer("axis", -1), out.size() + 1);
  const std::int64_t inner = element_count({out.begin() + static_cast<std::ptrdiff_t>(axis), out.end()});
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(axis), depth);
  call.flops(0);
  call.visit(2, [&](const auto& values) {
    call.require(values.size() == 2, "values must be [off, on]");
    auto& y = call.template output_like<std::decay_t<decltype(values[0])>>(0, out, 2);
    std::fill(y.begin(), y.end(), values[0]);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::int64_t index = indices[i] < 0 ? indices[i] + depth : indices[i];
      if (index < 0 || index >= depth) continue;
      const auto at = static_cast<std::int64_t>(i);
      y.data()[(at / inner * depth + index) * inner + at % inner] = values[1];
    }
  });
});

}  // namespace
}  // namespace assay::oracle
