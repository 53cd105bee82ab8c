// SPDX-License-Identifier: Apache-2.0
// Copies between strided blocks of tensors: what Transpose, Slice, Concat, Pad, Tile and Expand come down to.
#pragma once

#include <algorithm>
#include <array>

#include "assay/oracle/tensor.h"

namespace assay::oracle {

using Strides = std::vector<std::int64_t>;

/// body(offset a, offset b) for every index of `extents`, in row-major order.
template <class Body>
void for_each_offset(const Shape& extents, const Strides& a, const Strides& b, Body&& body) {
  const std::int64_t count = element_count(extents);
  Shape index(extents.size(), 0);
  std::int64_t at_a = 0, at_b = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    body(at_a, at_b);
    for (std::size_t d = extents.size(); d-- > 0;) {
      at_a += a[d];
      at_b += b[d];
      if (++index[d] < extents[d]) break;
      at_a -= a[d] * extents[d];
      at_b -= b[d] * extents[d];
      index[d] = 0;
    }
  }
}

namespace detail {

/// A copy with unit extents dropped and dimensions merged that both sides walk as one.
struct CopyPlan {
  Shape extents;
  Strides from, to;

  CopyPlan(const Shape& shape, const Strides& source, const Strides& target) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] == 1) continue;
      const bool joins = !extents.empty() && from.back() == source[d] * shape[d] && to.back() == target[d] * shape[d];
      if (joins) {
        extents.back() *= shape[d];
        from.back() = source[d];
        to.back() = target[d];
      } else {
        extents.push_back(shape[d]);
        from.push_back(source[d]);
        to.push_back(target[d]);
      }
    }
    if (extents.empty()) extents = {1}, from = {1}, to = {1};
  }

  struct Dimension {
    std::int64_t extent, from, to;
  };
  Dimension take(std::size_t d) {
    const Dimension taken{extents[d], from[d], to[d]};
    const auto at = static_cast<std::ptrdiff_t>(d);
    extents.erase(extents.begin() + at);
    from.erase(from.begin() + at);
    to.erase(to.begin() + at);
    return taken;
  }
};

template <class E>
void copy_row(const E* from, E* to, const CopyPlan::Dimension& d) {
  if (d.from == 1 && d.to == 1) std::copy_n(from, d.extent, to);
  else if (d.from == 0 && d.to == 1) std::fill_n(to, d.extent, *from);
  else
    for (std::int64_t i = 0; i < d.extent; ++i) to[i * d.to] = from[i * d.from];
}

/// The source runs along `outer`, the target along `inner`: whole cache lines are read, turned in a buffer,
/// and written whole, or strides that are powers of two would evict lines before their next use.
template <class E>
void copy_tiles(const E* from, E* to, const CopyPlan::Dimension& outer, const CopyPlan::Dimension& inner) {
  constexpr std::int64_t tile = 16;
  E buffer[tile][tile];
  for (std::int64_t i0 = 0; i0 < outer.extent; i0 += tile)
    for (std::int64_t j0 = 0; j0 < inner.extent; j0 += tile) {
      const std::int64_t rows = std::min(tile, outer.extent - i0), columns = std::min(tile, inner.extent - j0);
      for (std::int64_t j = 0; j < columns; ++j) {
        const E* source = from + i0 * outer.from + (j0 + j) * inner.from;
        for (std::int64_t i = 0; i < rows; ++i) buffer[i][j] = source[i * outer.from];
      }
      for (std::int64_t i = 0; i < rows; ++i) {
        E* target = to + (i0 + i) * outer.to + j0 * inner.to;
        for (std::int64_t j = 0; j < columns; ++j) target[j * inner.to] = buffer[i][j];
      }
    }
}

}  // namespace detail

/// to[sum i_d to_strides_d] = from[sum i_d from_strides_d] for every index i of `extents`.
template <class E>
void copy_strided(const Shape& extents, const E* from, const Strides& from_strides, E* to, const Strides& to_strides) {
  if (element_count(extents) == 0) return;
  detail::CopyPlan plan(extents, from_strides, to_strides);
  const auto inner = plan.take(plan.extents.size() - 1);
  const auto unit = std::find(plan.from.begin(), plan.from.end(), 1);
  if (inner.from > 1 && unit != plan.from.end()) {  // a transposition: neither side alone gives whole cache lines
    const auto outer = plan.take(static_cast<std::size_t>(unit - plan.from.begin()));
    for_each_offset(plan.extents, plan.from, plan.to,
                    [&](std::int64_t f, std::int64_t t) { detail::copy_tiles(from + f, to + t, outer, inner); });
  } else {
    for_each_offset(plan.extents, plan.from, plan.to, [&](std::int64_t f, std::int64_t t) { detail::copy_row(from + f, to + t, inner); });
  }
}

}  // namespace assay::oracle
