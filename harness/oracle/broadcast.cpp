// SPDX-License-Identifier: Apache-2.0
// Shapes and strides behind the loops of elementwise.h and reduction.h: nothing here depends on a scalar.
#include <fmt/core.h>

#include <stdexcept>

#include "elementwise.h"
#include "reduction.h"

namespace assay::oracle {

Shape broadcast_shapes(const std::vector<Shape>& shapes) {
  Shape out;
  for (const Shape& shape : shapes) {
    if (shape.size() > out.size()) out.insert(out.begin(), shape.size() - out.size(), 1);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      std::int64_t& extent = out[out.size() - shape.size() + d];
      if (shape[d] == extent || shape[d] == 1) continue;
      if (extent != 1) throw std::invalid_argument(fmt::format("shapes do not broadcast: extent {} against {}", extent, shape[d]));
      extent = shape[d];
    }
  }
  return out;
}

std::vector<std::int64_t> row_major_strides(const Shape& shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= shape[d];
  }
  return strides;
}

std::vector<std::int64_t> broadcast_strides(const Shape& shape, const Shape& over) {
  const std::vector<std::int64_t> own = row_major_strides(shape);
  std::vector<std::int64_t> strides(over.size(), 0);
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (shape[d] != 1) strides[over.size() - shape.size() + d] = own[d];
  return strides;
}

ReductionPlan::ReductionPlan(const Shape& shape, const std::vector<std::size_t>& axes) {
  const std::vector<std::int64_t> strides = row_major_strides(shape);
  std::vector<std::int64_t> reduced_strides;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const bool goes = std::find(axes.begin(), axes.end(), d) != axes.end();
    keepdims.push_back(goes ? 1 : shape[d]);
    (goes ? reduced : kept).push_back(shape[d]);
    (goes ? reduced_strides : kept_strides).push_back(strides[d]);
  }
  reduced_offsets.assign(static_cast<std::size_t>(element_count(reduced)), 0);
  Shape index(reduced.size(), 0);
  for (std::size_t i = 0; i < reduced_offsets.size(); ++i) {
    for (std::size_t d = 0; d < reduced.size(); ++d) reduced_offsets[i] += index[d] * reduced_strides[d];
    for (std::size_t d = reduced.size(); d-- > 0;) {
      if (++index[d] < reduced[d]) break;
      index[d] = 0;
    }
  }
}

namespace detail {

template <std::size_t N>
BroadcastPlan<N>::BroadcastPlan(const Shape& out, const std::array<Shape, N>& shapes) {
  std::array<std::vector<std::int64_t>, N> strides;
  for (std::size_t n = 0; n < N; ++n) strides[n] = broadcast_strides(shapes[n], out);
  // Fold neighbouring dimensions that every tensor walks contiguously (or not at all).
  Shape extents;
  std::array<std::vector<std::int64_t>, N> folded;
  for (std::size_t d = 0; d < out.size(); ++d) {
    if (out[d] == 1) continue;
    bool joins = !extents.empty();
    for (std::size_t n = 0; n < N && joins; ++n) joins = folded[n].back() == strides[n][d] * out[d];
    if (joins) extents.back() *= out[d];
    else extents.push_back(out[d]);
    for (std::size_t n = 0; n < N; ++n) {
      if (joins) folded[n].back() = strides[n][d];
      else folded[n].push_back(strides[n][d]);
    }
  }
  if (!extents.empty()) {
    inner = extents.back();
    extents.pop_back();
    for (std::size_t n = 0; n < N; ++n) {
      inner_stride[n] = folded[n].back();
      folded[n].pop_back();
    }
  }
  outer = std::move(extents);
  outer_stride = std::move(folded);
}

template struct BroadcastPlan<2>;
template struct BroadcastPlan<3>;

}  // namespace detail
}  // namespace assay::oracle
