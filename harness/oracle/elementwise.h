// SPDX-License-Identifier: Apache-2.0
// Loops over elements with NumPy-style broadcasting, for the operator families.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "assay/oracle/operator.h"

namespace assay::oracle {

/// The shape that `shapes` broadcast to (ONNX "multidirectional broadcasting").
/// std::invalid_argument where two extents differ and neither is 1.
Shape broadcast_shapes(const std::vector<Shape>& shapes);

/// Row-major strides in elements; `over` with broadcast (or absent leading) dimensions at stride 0.
std::vector<std::int64_t> broadcast_strides(const Shape& shape, const Shape& over);
std::vector<std::int64_t> row_major_strides(const Shape& shape);

namespace detail {
/// Visits rows of the output: row(out_offset, {input offsets}) with a common inner length and inner strides of 0 or 1.
template <std::size_t N>
struct BroadcastPlan {
  std::int64_t inner = 1;
  std::array<std::int64_t, N> inner_stride{};
  Shape outer;
  std::array<std::vector<std::int64_t>, N> outer_stride;

  BroadcastPlan(const Shape& out, const std::array<Shape, N>& shapes);

  template <class Row>
  void run(Row&& row) const {
    const std::int64_t rows = element_count(outer);
    Shape index(outer.size(), 0);
    std::array<std::int64_t, N> offset{};
    for (std::int64_t r = 0; r < rows; ++r) {
      row(r * inner, offset);
      for (std::size_t d = outer.size(); d-- > 0;) {
        ++index[d];
        for (std::size_t n = 0; n < N; ++n) offset[n] += outer_stride[n][d];
        if (index[d] < outer[d]) break;
        for (std::size_t n = 0; n < N; ++n) offset[n] -= outer_stride[n][d] * outer[d];
        index[d] = 0;
      }
    }
  }
};

extern template struct BroadcastPlan<2>;
extern template struct BroadcastPlan<3>;

/// Strides that are 1 for certain let the compiler vectorise, which it cannot over Bounded.
template <class Out>
constexpr bool vectorises = std::is_arithmetic_v<Out>;

template <class A, class B, class Out, class F>
void combine_row(const A* a, std::int64_t sa, const B* b, std::int64_t sb, Out* out, std::int64_t n, F f) {
  if constexpr (!vectorises<Out>)
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(f(a[i * sa], b[i * sb]));
  else if (sa == 1 && sb == 1)
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(f(a[i], b[i]));
  else if (sa == 1) {
    const B y = *b;
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(f(a[i], y));
  } else if (sb == 1) {
    const A x = *a;
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(f(x, b[i]));
  } else {
    const Out z = static_cast<Out>(f(*a, *b));
    for (std::int64_t i = 0; i < n; ++i) out[i] = z;
  }
}
}  // namespace detail

/// out[i] = f(x[i]).
/// By value: what f holds must not look as if a store to out might change it, or the loop is not vectorised.
template <class In, class Out, class F>
void map(const Tensor<In>& x, Tensor<Out>& out, F f) {
  const In* from = x.data();
  Out* to = out.data();
  const auto n = static_cast<std::int64_t>(x.size());
  for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<Out>(f(from[i]));
}

/// out = f(a, b) with broadcasting to out's shape.
template <class A, class B, class Out, class F>
void zip(const Tensor<A>& a, const Tensor<B>& b, Tensor<Out>& out, F f) {
  const detail::BroadcastPlan<2> plan(out.shape(), {a.shape(), b.shape()});
  plan.run([&](std::int64_t at, const std::array<std::int64_t, 2>& offset) {
    detail::combine_row(a.data() + offset[0], plan.inner_stride[0], b.data() + offset[1], plan.inner_stride[1], out.data() + at, plan.inner,
                        f);
  });
}

/// out = f(a, b, c) with broadcasting to out's shape.
template <class A, class B, class C, class Out, class F>
void zip(const Tensor<A>& a, const Tensor<B>& b, const Tensor<C>& c, Tensor<Out>& out, F f) {
  const detail::BroadcastPlan<3> plan(out.shape(), {a.shape(), b.shape(), c.shape()});
  const auto [sa, sb, sc] = plan.inner_stride;
  plan.run([&](std::int64_t at, const std::array<std::int64_t, 3>& offset) {
    const A* x = a.data() + offset[0];
    const B* y = b.data() + offset[1];
    const C* z = c.data() + offset[2];
    Out* o = out.data() + at;
    if (detail::vectorises<Out> && sa == 1 && sb == 1 && sc == 1)
      for (std::int64_t i = 0; i < plan.inner; ++i) o[i] = static_cast<Out>(f(x[i], y[i], z[i]));
    else
      for (std::int64_t i = 0; i < plan.inner; ++i) o[i] = static_cast<Out>(f(x[i * sa], y[i * sb], z[i * sc]));
  });
}

/// f of two unsigned 64-bit integers, over the same bits as Integers stores them. A type of its own: a lambda within a
/// template over the scalar would compile the same loop three times.
template <class F>
struct AsUnsigned {
  F f;
  auto operator()(std::int64_t a, std::int64_t b) const { return f(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)); }
};
template <class F>
AsUnsigned(F) -> AsUnsigned<F>;

/// Whether the errors of a and b leave open which is the larger, in the coarsest arithmetic (bfloat16, and a margin).
template <class T>
bool undecided(T a, T b) {
  if constexpr (std::is_same_v<T, Bounded>)
    return !(std::abs(a.value - b.value) > (a.error + b.error) / 64) || overflows_in_some_order(std::max(a.error, b.error));
  else return false;
}

/// The larger; NaN where either is.
template <class T>
T maximum(T a, T b) {
  if constexpr (std::is_same_v<T, Bounded>) {
    const double value = a.value > b.value || std::isnan(a.value) ? a.value : b.value;
    return {value, undecided(a, b) ? std::max(a.error, b.error) : a.value > b.value ? a.error : b.error};
  } else {
    return (a > b) | (a != a) ? a : b;
  }
}

/// The smaller; NaN where either is.
template <class T>
T minimum(T a, T b) {
  if constexpr (std::is_same_v<T, Bounded>) return -maximum(-a, -b);
  else return (a < b) | (a != a) ? a : b;
}

/// A continuous function with a kink: `below` where x < kink, else `above`.
/// Over Bounded both errors count where x's error reaches the kink.
template <class T>
T piecewise(T x, double kink, T below, T above) {
  const T at = static_cast<T>(kink);
  T y = x < at ? below : above;
  if constexpr (std::is_same_v<T, Bounded>)
    if (x.error > 0 && undecided(x, at)) y = {y.value, std::max(below.error, above.error)};
  return y;
}

/// x as if it had no error: for a value that the result does not depend on, such as the shift of a softmax.
template <class T>
T exact(T x) {
  return static_cast<T>(value_of(x));
}

/// f(x) where f's slope is nowhere above `slope`. Where an honest argument may lie 1 or more away, that bounds how far f moves on the way
/// there, which the slope at x does not.
template <class T, class F>
T no_steeper_than(double slope, T x, F f) {
  if constexpr (std::is_same_v<T, Bounded>)
    if (reach(x) >= 1) {
      const Bounded y = f(exact(x));
      return {y.value, y.error + slope * x.error};
    }
  return f(x);
}

/// 1 / (1 + e^-x).
template <class T>
T logistic(T x) {
  using std::exp;
  const T y = T(1) / (T(1) + exp(-x));
  if constexpr (std::is_same_v<T, Bounded>) return risen(x, y, [](double v) { return 1 / (1 + std::exp(-v)); });
  else return y;
}

/// log(1 + e^x), which the identity max(x, 0) + log(1 + e^-|x|) keeps from overflowing.
template <class T>
T log_one_plus_exp(T x) {
  using std::abs;
  using std::exp;
  using std::log1p;
  return no_steeper_than(1, x, [](T v) { return maximum(v, T(0)) + log1p(exp(-abs(v))); });
}

/// alpha (e^(x / width) - 1) where x < 0, else 0.
template <class T>
T exponential_below(double alpha, double width, T x) {
  using std::exp;
  return no_steeper_than(std::abs(alpha) / width, x,
                         [&](T v) { return static_cast<T>(alpha) * (exp(minimum(v, T(0)) / static_cast<T>(width)) - T(1)); });
}

/// The broadcast shape of a call's inputs; an OperatorError where they do not broadcast.
template <class T>
Shape broadcast_inputs(const Call<T>& call) {
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < call.input_count(); ++i) shapes.push_back(call.shape(i));
  try {
    return broadcast_shapes(shapes);
  } catch (const std::invalid_argument& error) {
    call.fail(error.what());
  }
}

}  // namespace assay::oracle
