// SPDX-License-Identifier: Apache-2.0
// ONNX reductions: x [any shape] -> y without the reduced axes, or with extent 1 there where keepdims (the
// default). Axes are an attribute, or the second input from the opset on where ONNX moved them; none means
// all, or with noop_with_empty_axes = 1 no reduction. ArgMax, ArgMin and CumSum are in scan.cpp. Read first
// reduce_sets (which elements belong together), then define_sum and define_fold.
#include <Eigen/Core>
#include <algorithm>
#include <limits>

#include "elementwise.h"
#include "reduction.h"
#include "softmax.h"

namespace assay::oracle {
namespace {

/// The axes to reduce, sorted; empty only for noop_with_empty_axes and scalars.
template <class T>
std::vector<std::size_t> reduction_axes(const Call<T>& call, int axes_input_since) {
  const std::size_t rank = call.shape(0).size();
  std::vector<std::int64_t> given;
  if (call.opset() < axes_input_since) given = call.integer_list("axes");
  else if (call.has_input(1)) given = call.integer_list(1);
  std::vector<std::size_t> axes;
  for (const std::int64_t axis : given) axes.push_back(call.axis(axis, rank));
  const bool none_means_all = call.integer("noop_with_empty_axes", 0) == 0;
  if (axes.empty() && none_means_all)
    for (std::size_t d = 0; d < rank; ++d) axes.push_back(d);
  std::sort(axes.begin(), axes.end());
  call.require(std::adjacent_find(axes.begin(), axes.end()) == axes.end(), "axes names a dimension twice");
  return axes;
}

template <class T>
Shape reduced_shape(const Call<T>& call, const std::vector<std::size_t>& axes) {
  const bool keep = call.integer("keepdims", 1) != 0;
  Shape shape;
  for (std::size_t d = 0; d < call.shape(0).size(); ++d) {
    const bool goes = std::binary_search(axes.begin(), axes.end(), d);
    if (!goes) shape.push_back(call.shape(0)[d]);
    else if (keep) shape.push_back(1);
  }
  return shape;
}

bool neighbours(const std::vector<std::size_t>& axes) { return axes.empty() || axes.back() - axes.front() + 1 == axes.size(); }

/// body(output index, count, at) for each output element; at(k) is the set's k-th input element.
template <class E, class Body>
void reduce_sets(const Tensor<E>& x, const std::vector<std::size_t>& axes, Body&& body) {
  const E* data = x.data();
  if (!neighbours(axes)) {
    const ReductionPlan plan(x.shape(), axes);
    const auto count = static_cast<std::int64_t>(plan.reduced_offsets.size());
    plan.run([&](std::size_t o, std::int64_t origin) {
      body(o, count, [&plan, from = data + origin](std::int64_t k) { return from[plan.reduced_offsets[static_cast<std::size_t>(k)]]; });
    });
    return;
  }
  const AxisView view = axes.empty() ? AxisView(x.shape(), 0, 0) : AxisView(x.shape(), axes.front(), axes.back() + 1);
  // Without axes every element is a set of its own.
  const std::int64_t outer = axes.empty() ? view.inner : view.outer, inner = axes.empty() ? 1 : view.inner;
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i) {
      const E* from = data + o * view.extent * inner + i;
      const auto index = static_cast<std::size_t>(o * inner + i);
      // A stride known to be 1 lets the compiler vectorise.
      if (inner == 1) body(index, view.extent, [from](std::int64_t k) { return from[k]; });
      else body(index, view.extent, [from, inner](std::int64_t k) { return from[k * inner]; });
    }
}

/// The float baseline along an axis that is not the last: adds whole rows, in blocks, so that the error stays
/// small.
template <class Term, class Finish>
bool sum_planes(const Tensor<float>& x, Tensor<float>& y, const std::vector<std::size_t>& axes, Term term, Finish finish) {
  if (sum_order() != SumOrder::natural || axes.empty() || !neighbours(axes)) return false;
  const AxisView view(x.shape(), axes.front(), axes.back() + 1);
  if (view.inner < 8) return false;
  constexpr std::int64_t block = 128;
  std::vector<float> partial(static_cast<std::size_t>(view.inner));
  for (std::int64_t o = 0; o < view.outer; ++o) {
    float* out = y.data() + o * view.inner;
    std::fill_n(out, view.inner, 0.0F);
    for (std::int64_t first = 0; first < view.extent; first += block) {
      std::fill(partial.begin(), partial.end(), 0.0F);
      for (std::int64_t k = first; k < std::min(first + block, view.extent); ++k) {
        const float* row = x.data() + (o * view.extent + k) * view.inner;
        for (std::int64_t i = 0; i < view.inner; ++i) partial[static_cast<std::size_t>(i)] += term(row[i]);
      }
      for (std::int64_t i = 0; i < view.inner; ++i) out[i] += partial[static_cast<std::size_t>(i)];
    }
    for (std::int64_t i = 0; i < view.inner; ++i) out[i] = finish(out[i], view.extent);
  }
  return true;
}

/// The error scales along an axis that is not the last, whole rows at a time: what sum() gives, and none of its strides.
template <class Term, class Finish>
bool sum_planes(const Tensor<Bounded>& x, Tensor<Bounded>& y, const std::vector<std::size_t>& axes, Term term, Finish finish) {
  if (axes.empty() || !neighbours(axes)) return false;
  const AxisView view(x.shape(), axes.front(), axes.back() + 1);
  if (view.inner < 8) return false;
  std::vector<BoundedSum> sums;
  for (std::int64_t o = 0; o < view.outer; ++o) {
    sums.assign(static_cast<std::size_t>(view.inner), {});
    const Bounded* row = x.data() + o * view.extent * view.inner;
    for (std::int64_t k = 0; k < view.extent; ++k, row += view.inner)
      for (std::int64_t i = 0; i < view.inner; ++i) sums[static_cast<std::size_t>(i)].add(term(row[i]));
    for (std::int64_t i = 0; i < view.inner; ++i)
      y[static_cast<std::size_t>(o * view.inner + i)] = finish(sums[static_cast<std::size_t>(i)].total(view.extent), view.extent);
  }
  return true;
}

/// Exactly, modulo 2^width; a finish that leaves the integers truncates. The same over every scalar: compiled once.
template <class Term, class Finish>
void sum_integers(const Integers& x, Integers& y, const std::vector<std::size_t>& axes, Term term, Finish finish) {
  reduce_sets(x, axes, [&](std::size_t o, std::int64_t count, auto at) {
    std::int64_t total = 0;
    for (std::int64_t k = 0; k < count; ++k) total += term(at(k));
    y[o] = static_cast<std::int64_t>(finish(total, count));
  });
}

/// finish(sum of term(x), count).
template <class Term, class Finish>
bool define_sum(std::string name, Specials specials, int axes_input_since, Term term, Finish finish) {
  return define({.name = std::move(name), .specials = specials, .reads_all = true}, [=](auto& call) {
    using T = typename std::decay_t<decltype(call)>::Scalar;
    const std::vector<std::size_t> axes = reduction_axes(call, axes_input_since);
    const Shape shape = reduced_shape(call, axes);
    call.flops(static_cast<double>(element_count(call.shape(0))));
    if (info(call.type(0)).element_class == ElementClass::integer)
      return sum_integers(call.integers(0), call.integers_out(0, shape, call.type(0)), axes, term, finish);
    const Tensor<T>& x = call.reals(0);
    Tensor<T>& y = call.template output_like<T>(0, shape);
    if constexpr (!std::is_same_v<T, double>)
      if (sum_planes(x, y, axes, term, finish)) return;
    reduce_sets(x, axes, [&](std::size_t o, std::int64_t count, auto at) {
      y[o] = finish(sum<T>(count, [&](std::int64_t k) { return term(at(k)); }), count);
    });
  });
}

/// y = f over whole rows along an axis that is not the last: contiguous passes.
template <class E, class F>
bool fold_planes(const Tensor<E>& x, Tensor<E>& y, const std::vector<std::size_t>& axes, F f) {
  if (axes.empty() || !neighbours(axes)) return false;
  const AxisView view(x.shape(), axes.front(), axes.back() + 1);
  if (view.inner < 8 || view.extent == 0) return false;
  for (std::int64_t o = 0; o < view.outer; ++o) {
    const E* row = x.data() + o * view.extent * view.inner;
    E* out = y.data() + o * view.inner;
    std::copy_n(row, view.inner, out);
    for (std::int64_t k = 1; k < view.extent; ++k) {
      row += view.inner;
      for (std::int64_t i = 0; i < view.inner; ++i) out[i] = f(out[i], row[i]);
    }
  }
  return true;
}

/// The smallest or largest integer of the type, as Integers stores it.
std::int64_t integer_limit(ElementType type, bool largest) {
  const bool is_unsigned = type == ElementType::u8 || type == ElementType::u16 || type == ElementType::u32 || type == ElementType::u64;
  if (is_unsigned && !largest) return 0;
  const auto bits = 8 * size_of(type) - (is_unsigned ? 0 : 1);
  const auto most = static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - bits));
  return largest ? most : -most - 1;
}

/// The chain f(... f(f(x0, x1), x2) ...) of each set.
template <class E, class F>
void fold_sets(const Tensor<E>& x, Tensor<E>& y, const std::vector<std::size_t>& axes, E empty, F f) {
  if (fold_planes(x, y, axes, f)) return;
  reduce_sets(x, axes, [&](std::size_t o, std::int64_t count, auto at) {
    E best = count > 0 ? at(0) : empty;
    // Eight chains, so that the compiler may keep them in one vector register.
    if (std::is_same_v<E, float> && count >= 16) {
      E lanes[8];
      for (int l = 0; l < 8; ++l) lanes[l] = at(l);
      std::int64_t k = 8;
      for (; k + 8 <= count; k += 8)
        for (int l = 0; l < 8; ++l) lanes[l] = f(lanes[l], at(k + l));
      for (; k < count; ++k) best = f(best, at(k));
      for (const E lane : lanes) best = f(best, lane);
    } else {
      for (std::int64_t k = 1; k < count; ++k) best = f(best, at(k));
    }
    y[o] = best;
  });
}

/// ReduceMax, ReduceMin. `pick` is of one type for all scalars, so that integers and booleans are compiled once.
template <class T, class F>
void reduce_fold(Call<T>& call, int axes_input_since, bool largest, F pick) {
  const std::vector<std::size_t> axes = reduction_axes(call, axes_input_since);
  const Shape shape = reduced_shape(call, axes);
  call.flops(static_cast<double>(element_count(call.shape(0))));
  switch (info(call.type(0)).element_class) {
    case ElementClass::integer: {
      const std::int64_t empty = integer_limit(call.type(0), !largest);
      Integers& y = call.integers_out(0, shape, call.type(0));
      if (call.type(0) == ElementType::u64) return fold_sets(call.integers(0), y, axes, empty, AsUnsigned{pick});
      return fold_sets(call.integers(0), y, axes, empty, pick);
    }
    case ElementClass::boolean:
      return fold_sets(call.booleans(0), call.booleans_out(0, shape), axes, static_cast<std::uint8_t>(largest ? 0 : 1), pick);
    case ElementClass::real: break;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  fold_sets(call.reals(0), call.template output_like<T>(0, shape), axes, static_cast<T>(largest ? -infinity : infinity), pick);
}

/// Product of at(0) .. at(count - 1). Its roundings are count - 1 in any order and independent: their errors
/// add up as the square root of their number, where a chain over Bounded would add them all.
template <class T, class At>
T product(std::int64_t count, At&& at) {
  if constexpr (std::is_same_v<T, Bounded>) {
    double value = 1, inherited = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      const Bounded x = at(k);
      inherited = std::abs(value) * x.error + std::abs(x.value) * inherited;
      value *= x.value;
    }
    return {value, inherited + std::sqrt(static_cast<double>(std::max<std::int64_t>(count - 1, 0))) * std::abs(value)};
  } else {
    T value = 1;
    for (std::int64_t k = 0; k < count; ++k) value *= at(k);
    return value;
  }
}

void multiply_integers(const Integers& x, Integers& y, const std::vector<std::size_t>& axes) {
  reduce_sets(x, axes, [&](std::size_t o, std::int64_t count, auto at) {
    std::uint64_t value = 1;
    for (std::int64_t k = 0; k < count; ++k) value *= static_cast<std::uint64_t>(at(k));
    y[o] = static_cast<std::int64_t>(value);
  });
}

template <class T>
void reduce_product(Call<T>& call) {
  const std::vector<std::size_t> axes = reduction_axes(call, 18);
  const Shape shape = reduced_shape(call, axes);
  call.flops(static_cast<double>(element_count(call.shape(0))));
  if (info(call.type(0)).element_class == ElementClass::integer)
    return multiply_integers(call.integers(0), call.integers_out(0, shape, call.type(0)), axes);
  Tensor<T>& y = call.template output_like<T>(0, shape);
  if constexpr (!std::is_same_v<T, Bounded>)
    if (fold_planes(call.reals(0), y, axes, [](T a, T b) { return a * b; })) return;
  reduce_sets(call.reals(0), axes, [&](std::size_t o, std::int64_t count, auto at) { y[o] = product<T>(count, at); });
}

/// log(sum of exp(at(k) - top)).
template <class T, class At>
T shifted_log_sum_exp(std::int64_t count, At&& at, T top) {
  if constexpr (std::is_same_v<T, float>) {
    if (sum_order() == SumOrder::natural) {
      Eigen::ArrayXf terms(count);
      for (std::int64_t k = 0; k < count; ++k) terms[k] = at(k) - top;
      return std::log(terms.exp().sum());
    }
  }
  return log_sum_exp<T>(count, [&](std::int64_t k) { return at(k) - top; });
}

/// The float baseline along an axis that is not the last: whole rows.
bool log_sum_exp_planes(const Tensor<float>& x, Tensor<float>& y, const std::vector<std::size_t>& axes) {
  if (sum_order() != SumOrder::natural) return false;
  if (!fold_planes(x, y, axes, [](float a, float b) { return maximum(a, b); })) return false;
  const AxisView view(x.shape(), axes.front(), axes.back() + 1);
  using Row = Eigen::Map<const Eigen::ArrayXf>;
  for (std::int64_t o = 0; o < view.outer; ++o) {
    Eigen::Map<Eigen::ArrayXf> top(y.data() + o * view.inner, view.inner);
    Eigen::ArrayXf total = Eigen::ArrayXf::Zero(view.inner);
    for (std::int64_t k = 0; k < view.extent; ++k) total += (Row(x.data() + (o * view.extent + k) * view.inner, view.inner) - top).exp();
    total = total.log();
    for (Eigen::Index i = 0; i < view.inner; ++i) top[i] = std::isinf(top[i]) ? top[i] : top[i] + total[i];
  }
  return true;
}

/// log(sum(exp(x))), with the maximum taken out of exp.
template <class T>
void reduce_log_sum_exp(Call<T>& call) {
  const std::vector<std::size_t> axes = reduction_axes(call, 18);
  Tensor<T>& y = call.template output_like<T>(0, reduced_shape(call, axes));
  call.flops(3 * static_cast<double>(element_count(call.shape(0))));
  if constexpr (std::is_same_v<T, float>)
    if (log_sum_exp_planes(call.reals(0), y, axes)) return;
  reduce_sets(call.reals(0), axes, [&](std::size_t o, std::int64_t count, auto at) {
    T top = static_cast<T>(-std::numeric_limits<double>::infinity());
    for (std::int64_t k = 0; k < count; ++k) top = maximum(top, at(k));
    top = exact(top);
    // An infinite maximum is the result; inf - inf would make it NaN.
    y[o] = std::isinf(value_of(top)) ? top : top + shifted_log_sum_exp<T>(count, at, top);
  });
}

const auto identity = [](auto x) { return x; };
const auto square = [](auto x) { return x * x; };
const auto magnitude = [](auto x) {
  using std::abs;
  return abs(x);
};
const auto larger = [](auto a, auto b) { return maximum(a, b); };
const auto smaller = [](auto a, auto b) { return minimum(a, b); };
const auto keep = [](auto total, std::int64_t) { return total; };
template <class S>
auto real_of(S x) {
  if constexpr (std::is_integral_v<S>) return static_cast<double>(x);
  else return x;
}

const bool defined[] = {
    define_sum("ReduceSum", Specials::nan, 13, identity, keep),
    define_sum("ReduceMean", Specials::nan, 18, identity,
               [](auto total, std::int64_t count) { return total / static_cast<decltype(total)>(static_cast<double>(count)); }),
    define_sum("ReduceSumSquare", Specials::nan, 18, square, keep),
    define_sum("ReduceL1", Specials::nan, 18, magnitude, keep),
    define_sum("ReduceL2", Specials::nan, 18, square,
               [](auto total, std::int64_t) {
                 using std::sqrt;
                 return sqrt(real_of(total));
               }),
    define_sum("ReduceLogSum", Specials::nan, 18, identity,
               [](auto total, std::int64_t) {
                 using std::log;
                 return log(real_of(total));
               }),
    define({"ReduceLogSumExp", Specials::finite}, [](auto& call) { reduce_log_sum_exp(call); }),
    define({"ReduceProd", Specials::nan}, [](auto& call) { reduce_product(call); }),
    // C's fmax drops NaN, NumPy's maximum keeps it.
    define({"ReduceMax", Specials::infinite}, [](auto& call) { reduce_fold(call, 18, true, larger); }),
    define({"ReduceMin", Specials::infinite}, [](auto& call) { reduce_fold(call, 18, false, smaller); }),
};

}  // namespace
}  // namespace assay::oracle
