// SPDX-License-Identifier: Apache-2.0
// Sums as each scalar takes them: in a legal order in float and double, with the scale sum|x| in Bounded.
#pragma once

#include "assay/oracle/evaluate.h"

namespace assay::oracle {

namespace detail {
template <class T, class At>
T run_sum(At&& at, std::int64_t begin, std::int64_t end, std::int64_t step) {
  T value = 0;
  for (std::int64_t i = begin; i < end; i += step) value += at(i);
  return value;
}

template <class T, class At>
T pairwise_sum(At&& at, std::int64_t begin, std::int64_t end) {
  if (end - begin <= 8) return run_sum<T>(at, begin, end, 1);
  const std::int64_t middle = begin + (end - begin) / 2;
  return pairwise_sum<T>(at, begin, middle) + pairwise_sum<T>(at, middle, end);
}
}  // namespace detail

/// A sum of Bounded, and the scale that its error is measured in.
struct BoundedSum {
  double value = 0, error = 0;
  double magnitude = 0;  ///< of the finite terms

  void add(Bounded x) {
    value += x.value;
    error += x.error;
    magnitude += std::isinf(x.value) ? 0 : std::abs(x.value);
  }
  Bounded total(std::int64_t count) const {
    if (count <= 1) return {value, error};  // copied, not rounded: f(x) = x has no error of its own
    if (overflows_in_some_order(magnitude) && !std::isnan(value)) return unknown_sum(value);
    return {value, error + magnitude};
  }
};

/// Sum of at(0) .. at(count - 1).
template <class T, class At>
T sum(std::int64_t count, At&& at) {
  if constexpr (std::is_same_v<T, Bounded>) {
    BoundedSum bounded;
    for (std::int64_t i = 0; i < count; ++i) bounded.add(at(i));
    return bounded.total(count);
  } else {
    switch (sum_order()) {
      case SumOrder::pairwise: return detail::pairwise_sum<T>(at, 0, count);
      case SumOrder::reversed: {
        T value = 0;
        for (std::int64_t i = count; i-- > 0;) value += at(i);
        return value;
      }
      case SumOrder::sequential:
      case SumOrder::fused: return detail::run_sum<T>(at, 0, count, 1);
      case SumOrder::strided: {
        constexpr std::int64_t kStride = 7;
        T value = 0;
        for (std::int64_t first = 0; first < kStride; ++first) value += detail::run_sum<T>(at, first, count, kStride);
        return value;
      }
      case SumOrder::blocked: {
        constexpr std::int64_t kBlock = 100;
        T value = 0;
        for (std::int64_t i = 0; i < count; i += kBlock) value += detail::run_sum<T>(at, i, std::min(count, i + kBlock), 1);
        return value;
      }
      case SumOrder::natural:
      case SumOrder::split: break;
    }
    if constexpr (std::is_same_v<T, double>) return detail::run_sum<T>(at, 0, count, 1);
    T lanes[16] = {};
    std::int64_t i = 0;
    for (; i + 16 <= count; i += 16)
      for (int lane = 0; lane < 16; ++lane) lanes[lane] += at(i + lane);
    for (; i < count; ++i) lanes[0] += at(i);
    T value = 0;
    for (const T lane : lanes) value += lane;
    return value;
  }
}

/// A shape seen as [outer, extent, inner] around neighbouring axes.
struct AxisView {
  std::int64_t outer = 1, extent = 1, inner = 1;
  AxisView(const Shape& shape, std::size_t first, std::size_t last)
      : outer(element_count(Shape(shape.begin(), shape.begin() + first))),
        extent(element_count(Shape(shape.begin() + first, shape.begin() + last))),
        inner(element_count(Shape(shape.begin() + last, shape.end()))) {}
  AxisView(const Shape& shape, std::size_t axis) : AxisView(shape, axis, axis + 1) {}
};

/// Axes split off a shape for reduction: every output element is a set of input elements.
struct ReductionPlan {
  Shape kept;                                 ///< extents of the dimensions that stay
  Shape keepdims;                             ///< the input's rank, reduced extents 1
  std::vector<std::int64_t> kept_strides;     ///< strides of the kept dimensions in the input
  Shape reduced;                              ///< extents of the dimensions that go
  std::vector<std::int64_t> reduced_offsets;  ///< offset of each element within one set

  ReductionPlan(const Shape& shape, const std::vector<std::size_t>& axes);

  /// body(output index, input offset of the set's origin).
  template <class Body>
  void run(Body&& body) const {
    const std::int64_t count = element_count(kept);
    Shape index(kept.size(), 0);
    std::int64_t offset = 0;
    for (std::int64_t o = 0; o < count; ++o) {
      body(static_cast<std::size_t>(o), offset);
      for (std::size_t d = kept.size(); d-- > 0;) {
        offset += kept_strides[d];
        if (++index[d] < kept[d]) break;
        offset -= kept_strides[d] * kept[d];
        index[d] = 0;
      }
    }
  }
};

}  // namespace assay::oracle
