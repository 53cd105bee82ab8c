// SPDX-License-Identifier: Apache-2.0
// Index tensors turned into checked offsets, for the gathers and scatters.
#pragma once

#include <fmt/core.h>

#include <cmath>

#include "assay/oracle/operator.h"
#include "elementwise.h"

namespace assay::oracle {

/// An index in [-extent, extent) counted from the front; an OperatorError outside.
template <class T>
std::int64_t resolved_index(const Call<T>& call, std::int64_t index, std::int64_t extent) {
  if (index < -extent || index >= extent) call.fail(fmt::format("index {} is outside an extent of {}", index, extent));
  return index < 0 ? index + extent : index;
}

/// Every element of integer input i as an index into `extent`.
template <class T>
std::vector<std::int64_t> resolved_indices(const Call<T>& call, std::size_t i, std::int64_t extent) {
  const Integers& given = call.integers(i);
  std::vector<std::int64_t> indices(given.size());
  for (std::size_t n = 0; n < given.size(); ++n) indices[n] = resolved_index(call, given[n], extent);
  return indices;
}

/// Input i as integers, whatever its numeric type.
template <class T>
std::vector<std::int64_t> as_integers(const Call<T>& call, std::size_t i) {
  std::vector<std::int64_t> list;
  call.visit(i, [&](const auto& x) {
    for (const auto& e : x) {
      if constexpr (std::is_integral_v<std::decay_t<decltype(e)>>) list.push_back(static_cast<std::int64_t>(e));
      else list.push_back(static_cast<std::int64_t>(value_of(e)));
    }
  });
  return list;
}

/// For each element of index input i, its place moved along `axis` by the index: offsets into a tensor of
/// `shape`.
template <class T>
std::vector<std::int64_t> element_offsets(const Call<T>& call, const Shape& shape, std::size_t i, std::size_t axis) {
  const Integers& indices = call.integers(i);
  if (indices.rank() != shape.size())
    call.fail(fmt::format("indices {} must have data's rank, {}", to_string(indices.shape()), shape.size()));
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (d != axis && indices.shape()[d] > shape[d])
      call.fail(fmt::format("indices {} reach outside data {} in dimension {}", to_string(indices.shape()), to_string(shape), d));
  std::vector<std::int64_t> strides = row_major_strides(shape), offsets(indices.size());
  const std::int64_t step = strides[axis];
  strides[axis] = 0;
  Shape at(shape.size(), 0);
  std::int64_t base = 0;
  for (std::size_t n = 0; n < offsets.size(); ++n) {
    offsets[n] = base + resolved_index(call, indices[n], shape[axis]) * step;
    for (std::size_t d = at.size(); d-- > 0;) {
      base += strides[d];
      if (++at[d] < indices.shape()[d]) break;
      base -= strides[d] * indices.shape()[d];
      at[d] = 0;
    }
  }
  return offsets;
}

struct SliceOffsets {
  std::vector<std::int64_t> offsets;  ///< where each slice starts
  std::int64_t size = 1;              ///< elements of a slice
  std::size_t rank = 0;               ///< dimensions of a slice
};

/// Index input i holds tuples along its last dimension, each of which names a slice of a tensor of `shape`.
template <class T>
SliceOffsets slice_offsets(const Call<T>& call, const Shape& shape, std::size_t i, std::size_t batch_dims) {
  const Integers& indices = call.integers(i);
  if (indices.rank() == 0) call.fail("indices must have at least one dimension");
  const auto width = static_cast<std::size_t>(indices.shape().back());
  if (batch_dims + width > shape.size())
    call.fail(fmt::format("indices {} name more dimensions than {} has", to_string(indices.shape()), to_string(shape)));
  SliceOffsets slices;
  slices.rank = shape.size() - batch_dims - width;
  slices.size = element_count({shape.end() - static_cast<std::ptrdiff_t>(slices.rank), shape.end()});
  const std::vector<std::int64_t> strides = row_major_strides(shape);
  const auto batch_end = shape.begin() + static_cast<std::ptrdiff_t>(batch_dims);
  const std::int64_t batches = element_count({shape.begin(), batch_end}), batch_size = element_count({batch_end, shape.end()});
  const std::int64_t tuples = element_count({indices.shape().begin(), indices.shape().end() - 1});
  const std::int64_t each = batches == 0 ? 1 : std::max<std::int64_t>(tuples / batches, 1);
  for (std::int64_t t = 0; t < tuples; ++t) {
    std::int64_t offset = t / each * batch_size;
    for (std::size_t d = 0; d < width; ++d)
      offset += resolved_index(call, indices[static_cast<std::size_t>(t) * width + d], shape[batch_dims + d]) * strides[batch_dims + d];
    slices.offsets.push_back(offset);
  }
  return slices;
}

}  // namespace assay::oracle
