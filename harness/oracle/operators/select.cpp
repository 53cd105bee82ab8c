// SPDX-License-Identifier: Apache-2.0
// Choosing elements by their values: TopK, NonZero, Unique, Compress.
#include <fmt/core.h>

#include <map>
#include <numeric>

#include "index_list.h"
#include "strided.h"

namespace assay::oracle {
namespace {

/// A tensor seen as [outer, extent, inner] around one axis.
struct AxisView {
  std::int64_t outer, extent, inner;
  AxisView(const Shape& shape, std::size_t axis)
      : outer(element_count({shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(axis)})),
        extent(shape[axis]),
        inner(element_count({shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape.end()})) {}
};

/// The first k of the indices 0 .. row.size() - 1 in the order of their values, equal values by index.
template <class E>
void select_top(const std::vector<E>& row, std::int64_t k, bool largest, std::vector<std::int64_t>& order) {
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto before = [&](std::int64_t a, std::int64_t b) {
    const E& x = row[static_cast<std::size_t>(a)];
    const E& y = row[static_cast<std::size_t>(b)];
    if (x == y) return a < b;
    return largest ? x > y : x < y;
  };
  if (k < static_cast<std::int64_t>(order.size())) std::nth_element(order.begin(), order.begin() + k, order.end(), before);
  std::sort(order.begin(), order.begin() + k, before);
}

/// The k largest (or smallest) values along `axis`, in order, and their indices (lower first among equals).
/// [..., n, ...] -> [..., k, ...] twice. ONNX TopK, opset 1 (k an input since 10, largest and sorted since
/// 11).
const bool top_k = define({.name = "TopK", .specials = Specials::infinite}, [](auto& call) {
  const Shape& shape = call.shape(0);
  const std::size_t axis = call.axis(call.integer("axis", -1), shape.size());
  const std::int64_t k = call.has_input(1) ? call.integer_list(1).at(0) : call.integer("k");
  const bool largest = call.integer("largest", 1) != 0;
  call.ignore({"sorted"});  // sorted is one of the orders that unsorted allows
  const AxisView view(shape, axis);
  if (k < 0 || k > view.extent) call.fail(fmt::format("k = {} of {} elements", k, view.extent));
  Shape out = shape;
  out[axis] = k;
  call.visit(0, [&](const auto& x) {
    using E = std::decay_t<decltype(x[0])>;
    auto& values = call.template output_like<E>(0, out);
    Integers& indices = call.integers_out(1, out);
    std::vector<std::uint8_t> open(std::is_same_v<E, Bounded> ? indices.size() : 0);
    std::vector<E> row(static_cast<std::size_t>(view.extent));
    std::vector<std::int64_t> order(row.size());
    for (std::int64_t r = 0; r < view.outer * view.inner; ++r) {
      const std::int64_t o = r / view.inner, i = r % view.inner;
      for (std::int64_t n = 0; n < view.extent; ++n) row[static_cast<std::size_t>(n)] = x.data()[(o * view.extent + n) * view.inner + i];
      select_top(row, k, largest, order);
      for (std::int64_t n = 0; n < k; ++n) {
        const std::int64_t chosen = order[static_cast<std::size_t>(n)], at = (o * k + n) * view.inner + i;
        values.data()[at] = row[static_cast<std::size_t>(chosen)];
        indices.data()[at] = chosen;
        // Another element that is as large within the errors may stand here.
        if constexpr (std::is_same_v<E, Bounded>)
          for (std::int64_t m = 0; m < view.extent; ++m)
            if (m != chosen && open_between(row[static_cast<std::size_t>(m)], values.data()[at])) open[static_cast<std::size_t>(at)] = 2;
      }
    }
    call.leave_open(1, std::move(open));
  });
});

/// Indices of the elements that are not 0, in row-major order: [rank, count]. ONNX NonZero, opset 9.
const bool non_zero = define({.name = "NonZero", .specials = Specials::nan, .since = 9, .sized_by_values = true}, [](auto& call) {
  const Shape& shape = call.shape(0);
  std::vector<std::int64_t> places;
  call.visit(0, [&](const auto& x) {
    using E = std::decay_t<decltype(x[0])>;
    if constexpr (std::is_same_v<E, Bounded>)
      if (std::any_of(x.begin(), x.end(), [](Bounded e) { return open_between(e, 0.0); })) call.leave_all_open();
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] != E(0)) places.push_back(static_cast<std::int64_t>(i));
  });
  const auto count = static_cast<std::int64_t>(places.size());
  Integers& y = call.integers_out(0, {static_cast<std::int64_t>(shape.size()), count});
  for (std::int64_t n = 0; n < count; ++n) {
    std::int64_t rest = places[static_cast<std::size_t>(n)];
    for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) y.data()[static_cast<std::int64_t>(d) * count + n] = rest % shape[d];
  }
});

/// Equal slices grouped: for each group the index of its first slice, and for each slice its group.
struct Groups {
  std::vector<std::int64_t> first, counts, inverse;
};

template <class E>
Groups group_slices(const Tensor<E>& x, const AxisView& view, bool sorted) {
  const auto element = [&](std::int64_t slice, std::int64_t e) -> const E& {
    return x.data()[(e / view.inner * view.extent + slice) * view.inner + e % view.inner];
  };
  const auto before = [&](std::int64_t a, std::int64_t b) {
    for (std::int64_t e = 0; e < view.outer * view.inner; ++e)
      if (element(a, e) != element(b, e)) return element(a, e) < element(b, e);
    return false;
  };
  std::map<std::int64_t, std::int64_t, decltype(before)> seen(before);  // slice -> group, in order of first occurrence
  Groups groups;
  for (std::int64_t s = 0; s < view.extent; ++s) {
    const auto [place, fresh] = seen.emplace(s, static_cast<std::int64_t>(groups.first.size()));
    if (fresh) groups.first.push_back(s), groups.counts.push_back(0);
    ++groups.counts[static_cast<std::size_t>(place->second)];
    groups.inverse.push_back(place->second);
  }
  if (!sorted) return groups;
  Groups ordered{{}, {}, std::vector<std::int64_t>(groups.inverse.size())};
  std::vector<std::int64_t> rank(groups.first.size());
  for (const auto& [slice, group] : seen) {
    rank[static_cast<std::size_t>(group)] = static_cast<std::int64_t>(ordered.first.size());
    ordered.first.push_back(slice);
    ordered.counts.push_back(groups.counts[static_cast<std::size_t>(group)]);
  }
  for (std::size_t s = 0; s < groups.inverse.size(); ++s) ordered.inverse[s] = rank[static_cast<std::size_t>(groups.inverse[s])];
  return ordered;
}

/// The slices `chosen` of x along `axis`, in that order, as output 0.
template <class C, class E>
void take_slices(C& call, const Tensor<E>& x, Shape out, std::size_t axis, const std::vector<std::int64_t>& chosen) {
  const AxisView view(out, axis);
  out[axis] = static_cast<std::int64_t>(chosen.size());
  E* to = call.template output_like<E>(0, out).data();
  for (std::int64_t o = 0; o < view.outer; ++o)
    for (const std::int64_t slice : chosen) to = std::copy_n(x.data() + (o * view.extent + slice) * view.inner, view.inner, to);
}

/// The distinct elements (or slices along `axis`), the index of each one's first occurrence, for each input
/// slice its place in Y, and how often each occurs; in ascending order unless sorted = 0. ONNX Unique,
/// opset 11.
const bool unique = define({.name = "Unique", .specials = Specials::infinite, .since = 11, .sized_by_values = true}, [](auto& call) {
  const bool flat = !call.has_attribute("axis");
  const Shape shape = flat ? Shape{element_count(call.shape(0))} : call.shape(0);
  const std::size_t axis = flat ? 0 : call.axis(call.integer("axis"), shape.size());
  const bool sorted = call.integer("sorted", 1) != 0;
  call.visit(0, [&](const auto& x) {
    const Groups groups = group_slices(x, AxisView(shape, axis), sorted);
    take_slices(call, x, shape, axis, groups.first);
    const auto list = [&](std::size_t i, const std::vector<std::int64_t>& values) {
      if (call.wants(i)) std::copy(values.begin(), values.end(), call.integers_out(i, {static_cast<std::int64_t>(values.size())}).begin());
    };
    list(1, groups.first);
    list(2, groups.inverse);
    list(3, groups.counts);
  });
});

/// The slices along `axis` (or elements of X flattened) whose condition is true; a short condition ends in
/// false. ONNX Compress, opset 9.
const bool compress = define({.name = "Compress", .specials = Specials::nan, .since = 9, .sized_by_values = true}, [](auto& call) {
  const bool flat = !call.has_attribute("axis");
  const Shape shape = flat ? Shape{element_count(call.shape(0))} : call.shape(0);
  const std::size_t axis = flat ? 0 : call.axis(call.integer("axis"), shape.size());
  const Booleans& condition = call.booleans(1);
  call.require(condition.rank() == 1, "condition must be a list of booleans");
  std::vector<std::int64_t> chosen;
  for (std::size_t i = 0; i < condition.size() && static_cast<std::int64_t>(i) < shape[axis]; ++i)
    if (condition[i] != 0) chosen.push_back(static_cast<std::int64_t>(i));
  call.flops(0);
  call.visit(0, [&](const auto& x) { take_slices(call, x, shape, axis, chosen); });
});

}  // namespace
}  // namespace assay::oracle
