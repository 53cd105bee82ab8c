// SPDX-License-Identifier: Apache-2.0
// ONNX ArgMax and ArgMin (opset 13: x -> int64 indices, axis reduced), CumSum (opset 14) and CumProd (opset
// 26): x -> y of x's shape.
#include <cmath>
#include <vector>

#include "elementwise.h"
#include "reduction.h"

namespace assay::oracle {
namespace {

/// Index of the first extreme element along `axis`, or of the last with select_last_index = 1.
template <class T, class Better>
void arg_extreme(Call<T>& call, Better better) {
  const Shape& shape = call.shape(0);
  call.require(!shape.empty(), "needs at least one dimension");
  const std::size_t axis = call.axis(call.integer("axis", 0), shape.size());
  const AxisView view(shape, axis);
  call.require(view.extent > 0, "the reduced dimension is empty");
  Shape out_shape = shape;
  if (call.integer("keepdims", 1) != 0) out_shape[axis] = 1;
  else out_shape.erase(out_shape.begin() + static_cast<std::ptrdiff_t>(axis));
  const bool last = call.integer("select_last_index", 0) != 0;
  Integers& out = call.integers_out(0, out_shape);
  call.flops(static_cast<double>(element_count(shape)));
  std::vector<std::uint8_t> open(std::is_same_v<T, Bounded> ? out.size() : 0);
  call.visit(0, [&]<class E>(const Tensor<E>& x) {
    // Along rows, whatever the axis: the best of each column so far.
    std::vector<E> best(static_cast<std::size_t>(view.inner));
    for (std::int64_t o = 0; o < view.outer; ++o) {
      const E* from = x.data() + o * view.extent * view.inner;
      std::int64_t* index = out.data() + o * view.inner;
      std::copy_n(from, view.inner, best.begin());
      std::fill_n(index, view.inner, 0);
      for (std::int64_t k = 1; k < view.extent; ++k) {
        from += view.inner;
        for (std::int64_t i = 0; i < view.inner; ++i) {
          E& b = best[static_cast<std::size_t>(i)];
          const E a = from[i];
          if constexpr (std::is_same_v<E, Bounded>) {
            // Open while the rival is as good within the errors: a later, clearly better element closes it
            // again.
            std::uint8_t& mark = open[static_cast<std::size_t>(o * view.inner + i)];
            if (open_between(a, b)) mark = 2;
            else if (better(a, b)) mark = 0;
          }
          if (!better(a, b) && !(last && a == b)) continue;
          b = a;
          index[i] = k;
        }
      }
    }
  });
  call.leave_open(0, std::move(open));
}

/// Running sum of `count` elements `step` apart; exclusive: without the element itself.
template <class E>
void running_sum(const E* x, E* y, std::int64_t count, std::int64_t step, bool exclusive) {
  if constexpr (std::is_same_v<E, Bounded>) {
    // As sum<Bounded>: the scale of a partial sum is the sum of magnitudes, however it was associated.
    double value = 0, error = 0, scale = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      const Bounded term = x[k * step];
      const std::int64_t terms = exclusive ? k : k + 1;
      if (exclusive) y[k * step] = {value, error + (terms > 1 ? scale : 0)};
      value += term.value;
      error += term.error;
      scale += std::abs(term.value);
      if (!exclusive) y[k * step] = {value, error + (terms > 1 ? scale : 0)};
    }
  } else {
    // Orders other than the natural stand for parallel scans: blocks of their own, joined by offsets.
    const std::int64_t block = std::is_same_v<E, float> && sum_order() >= SumOrder::reversed ? 64 : std::max<std::int64_t>(count, 1);
    E offset = 0;
    for (std::int64_t first = 0; first < count; first += block) {
      E running = 0;
      for (std::int64_t k = first; k < std::min(first + block, count); ++k) {
        const E term = x[k * step];
        if (exclusive) y[k * step] = offset + running;
        running += term;
        if (!exclusive) y[k * step] = offset + running;
      }
      offset += running;
    }
  }
}

/// The same for `width` neighbouring columns, row by row; `step` from row to row. Exact or in the natural
/// order only.
template <class E>
void running_rows(const E* x, E* y, std::int64_t count, std::int64_t step, std::int64_t width, bool exclusive) {
  for (std::int64_t k = 0; k < count; ++k) {
    const E* term = exclusive ? x + (k - 1) * step : x + k * step;
    const E* before = y + (k - 1) * step;
    E* out = y + k * step;
    if (k == 0 && exclusive) std::fill_n(out, width, E(0));
    else if (k == 0) std::copy_n(term, width, out);
    else
      for (std::int64_t i = 0; i < width; ++i) out[i] = before[i] + term[i];
  }
}

/// How a cumulative operator walks: attributes exclusive and reverse, the axis from its second input.
struct Cumulation {
  AxisView view;
  bool exclusive;
  std::int64_t step, start;  ///< from element to element of a line; of a line's first element

  /// body(origin) for the first element of each line.
  template <class Body>
  void each_line(Body&& body) const {
    for (std::int64_t o = 0; o < view.outer && view.extent > 0; ++o)
      for (std::int64_t i = 0; i < view.inner; ++i) body(o * view.extent * view.inner + i + start);
  }
};

template <class T>
Cumulation read_cumulation(const Call<T>& call) {
  const Shape& shape = call.shape(0);
  const std::vector<std::int64_t> axis = call.integer_list(1);
  call.require(axis.size() == 1, "axis must be one integer");
  const AxisView view(shape, call.axis(axis[0], shape.size()));
  const bool exclusive = call.integer("exclusive", 0) != 0, reverse = call.integer("reverse", 0) != 0;
  return {view, exclusive, reverse ? -view.inner : view.inner, reverse ? (view.extent - 1) * view.inner : 0};
}

/// apply(x, y) on the input and an output of its shape and type, integers or reals.
template <class T, class Apply>
void apply_to_numbers(Call<T>& call, Apply&& apply) {
  if (info(call.type(0)).element_class == ElementClass::integer) apply(call.integers(0), call.integers_out(0, call.shape(0), call.type(0)));
  else apply(call.reals(0), call.template output_like<T>(0, call.shape(0)));
}

template <class T>
void cumulative_sum(Call<T>& call) {
  const Cumulation c = read_cumulation(call);
  apply_to_numbers(call, [&]<class E>(const Tensor<E>& x, Tensor<E>& y) {
    const AxisView& view = c.view;
    if (view.inner >= 8 && !std::is_same_v<E, Bounded> && sum_order() == SumOrder::natural) {
      for (std::int64_t o = 0; o < view.outer; ++o) {
        const std::int64_t origin = o * view.extent * view.inner + c.start;
        running_rows(x.data() + origin, y.data() + origin, view.extent, c.step, view.inner, c.exclusive);
      }
      return;
    }
    c.each_line([&](std::int64_t origin) { running_sum(x.data() + origin, y.data() + origin, view.extent, c.step, c.exclusive); });
  });
}

/// Running product of `count` elements `step` apart; exclusive: without the element itself. Over Bounded the
/// roundings before an element are independent, as in ReduceProd.
template <class E>
void running_product(const E* x, E* y, std::int64_t count, std::int64_t step, bool exclusive) {
  E product = 1;
  double value = 1, inherited = 0;  // of Bounded
  for (std::int64_t k = 0; k < count; ++k) {
    const E before = product;
    if constexpr (std::is_same_v<E, Bounded>) {
      const Bounded factor = x[k * step];
      inherited = std::abs(value) * factor.error + std::abs(factor.value) * inherited;
      value *= factor.value;
      product = {value, inherited + std::sqrt(static_cast<double>(k)) * std::abs(value)};
    } else if constexpr (std::is_integral_v<E>) {
      product = static_cast<E>(static_cast<std::uint64_t>(product) * static_cast<std::uint64_t>(x[k * step]));
    } else {
      product *= x[k * step];
    }
    y[k * step] = exclusive ? before : product;
  }
}

template <class T>
void cumulative_product(Call<T>& call) {
  const Cumulation c = read_cumulation(call);
  apply_to_numbers(call, [&]<class E>(const Tensor<E>& x, Tensor<E>& y) {
    c.each_line([&](std::int64_t origin) { running_product(x.data() + origin, y.data() + origin, c.view.extent, c.step, c.exclusive); });
  });
}

const bool defined[] = {
    define({"ArgMax", Specials::infinite}, [](auto& call) { arg_extreme(call, [](auto a, auto b) { return a > b; }); }),
    define({"ArgMin", Specials::infinite}, [](auto& call) { arg_extreme(call, [](auto a, auto b) { return a < b; }); }),
    define({.name = "CumSum", .specials = Specials::nan, .since = 11, .reads_all = true}, [](auto& call) { cumulative_sum(call); }),
    define({"CumProd", Specials::nan, 26}, [](auto& call) { cumulative_product(call); }),
};

}  // namespace
}  // namespace assay::oracle
