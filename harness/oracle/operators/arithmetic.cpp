// SPDX-License-Identifier: Apache-2.0
// ONNX arithmetic on two or more tensors that broadcast to the output's shape: Add, Div, Pow, Mod, Max, Clip,
// BitShift. Integers are taken modulo 2^width, as C's unsigned arithmetic does; a division by an integer zero
// is an error.
#include <Eigen/Core>
#include <limits>

#include "elementwise.h"

namespace assay::oracle {
namespace {

template <class T>
bool integral(const Call<T>& call, std::size_t i = 0) {
  return info(call.type(i)).element_class == ElementClass::integer;
}

/// f over integers as what they are: 64-bit unsigned ones too, which Integers stores in the same 64 bits.
template <class T, class F>
void zip_integers(Call<T>& call, const Shape& shape, F f) {
  Integers& out = call.integers_out(0, shape, call.type(0));
  if (call.type(0) == ElementType::u64) zip(call.integers(0), call.integers(1), out, AsUnsigned{f});
  else zip(call.integers(0), call.integers(1), out, f);
}

/// Before opset 7 b broadcasts where attribute broadcast says so, from dimension `axis` of a on; newer opsets
/// align the last dimensions, so that any other axis is refused.
template <class T>
void require_aligned(const Call<T>& call) {
  if (call.opset() >= 7) return;
  call.ignore({"broadcast"});
  const auto a = static_cast<std::int64_t>(call.shape(0).size()), b = static_cast<std::int64_t>(call.shape(1).size());
  const std::int64_t axis = call.integer("axis", a - b);
  call.require(axis + b == a || axis == b - a, "attribute axis must align the last dimensions. do: use opset 7 or later");
}

/// Add, Sub, Mul: opset 7. f wraps alike on signed and unsigned integers.
template <class F>
bool define_ring(std::string name, bool reads_all, F f) {
  return define({.name = std::move(name), .specials = Specials::nan, .since = 7, .reads_all = reads_all}, [f](auto& call) {
    using T = typename std::decay_t<decltype(call)>::Scalar;
    require_aligned(call);
    const Shape shape = broadcast_inputs(call);
    if (integral(call)) zip(call.integers(0), call.integers(1), call.integers_out(0, shape, call.type(0)), AsUnsigned{f});
    else zip(call.reals(0), call.reals(1), call.template output_like<T>(0, shape), f);
  });
}

template <class T>
void require_no_zero(const Call<T>& call, std::size_t i) {
  const Integers& divisor = call.integers(i);
  call.require(std::find(divisor.begin(), divisor.end(), 0) == divisor.end(),
               "integer division by zero. do: draw the divisor from a range without 0");
}

// What is done to integers is the same over every scalar: functions of one type, compiled once.
const auto quotient = [](auto a, auto b) {
  // The one quotient that does not fit traps in hardware.
  if constexpr (std::is_signed_v<decltype(a)>) return b == -1 ? static_cast<std::int64_t>(-static_cast<std::uint64_t>(a)) : a / b;
  else return a / b;
};

/// The dividend's sign.
const auto remainder_of_c = [](auto a, auto b) {
  using I = decltype(a);
  return std::is_signed_v<I> && b == static_cast<I>(-1) ? I{0} : a % b;
};

/// The divisor's sign.
const auto remainder_of_floor = [](auto a, auto b) {
  using I = decltype(a);
  const I remainder = remainder_of_c(a, b);
  return std::is_signed_v<I> && remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
};

/// a / b; integers towards zero. Opset 7.
template <class T>
void divide(Call<T>& call) {
  require_aligned(call);
  const Shape shape = broadcast_inputs(call);
  if (!integral(call)) {
    zip(call.reals(0), call.reals(1), call.template output_like<T>(0, shape), [](T a, T b) { return a / b; });
    return;
  }
  require_no_zero(call, 1);
  zip_integers(call, shape, quotient);
}

/// fmod = 1: C's fmod, the dividend's sign. fmod = 0, integers only: the divisor's sign. Opset 10.
template <class T>
void modulo(Call<T>& call) {
  const Shape shape = broadcast_inputs(call);
  const bool c_semantics = call.integer("fmod", 0) != 0;
  if (!integral(call)) {
    call.require(c_semantics, "floating-point inputs need attribute fmod = 1");
    zip(call.reals(0), call.reals(1), call.template output_like<T>(0, shape), [](T a, T b) {
      using std::fmod;
      return fmod(a, b);
    });
    return;
  }
  require_no_zero(call, 1);
  if (c_semantics) zip_integers(call, shape, remainder_of_c);
  else zip_integers(call, shape, remainder_of_floor);
}

std::int64_t integer_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return static_cast<std::int64_t>(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  std::uint64_t power = 1, square = static_cast<std::uint64_t>(base);
  for (; exponent != 0; exponent >>= 1, square *= square)
    if (exponent & 1) power *= square;
  return static_cast<std::int64_t>(power);
}

/// a^b of a's type; b may have another type. Opset 13.
template <class T>
void power(Call<T>& call) {
  const Shape shape = broadcast_inputs(call);
  const auto raise = [](auto a, auto b) {
    using std::pow;
    return pow(a, static_cast<T>(static_cast<double>(value_of(b))));
  };
  const auto truncated = [](std::int64_t a, T b) { return static_cast<std::int64_t>(std::pow(static_cast<double>(a), value_of(b))); };
  if (integral(call)) {
    Integers& out = call.integers_out(0, shape, call.type(0));
    if (integral(call, 1)) zip(call.integers(0), call.integers(1), out, integer_power);
    else zip(call.integers(0), call.reals(1), out, truncated);
    return;
  }
  Tensor<T>& out = call.template output_like<T>(0, shape);
  if (integral(call, 1)) {
    zip(call.reals(0), call.integers(1), out, [raise](T a, std::int64_t b) { return raise(a, static_cast<double>(b)); });
    return;
  }
  // Squares and cubes are products in every framework; a kernel may still go through exp and log, so the
  // bound does.
  const double exponent = call.reals(1).size() == 1 ? value_of(call.reals(1)[0]) : 0;
  const bool bounded = std::is_same_v<T, Bounded>;
  if (exponent == 2 && !bounded) zip(call.reals(0), call.reals(1), out, [](T a, T) { return a * a; });
  else if (exponent == 3 && !bounded) zip(call.reals(0), call.reals(1), out, [](T a, T) { return a * a * a; });
  else zip(call.reals(0), call.reals(1), out, raise);
}

/// Folds f over all inputs, left to right, each broadcast to the output's shape; `last` takes the last one in.
template <class T, class F, class Last>
void fold(Call<T>& call, F f, Last last) {
  const Shape shape = broadcast_inputs(call);
  const std::size_t count = call.input_count();
  call.require(count > 0, "needs at least one input");
  if (count == 1) return call.forward(0, 0, shape);
  call.flops(static_cast<double>(element_count(shape)) * static_cast<double>(count - 1));
  const auto accumulate = [count](auto& out, auto get, auto g, auto h) {
    if (count == 2) return zip(get(0), get(1), out, h);
    zip(get(0), get(1), out, g);
    for (std::size_t i = 2; i + 1 < count; ++i) zip(out, get(i), out, g);
    zip(out, get(count - 1), out, h);
  };
  if (!integral(call)) {
    const auto get = [&call](std::size_t i) -> const auto& { return call.reals(i); };
    accumulate(call.template output_like<T>(0, shape), get, f, last);
    return;
  }
  Integers& out = call.integers_out(0, shape, call.type(0));
  const auto get = [&call](std::size_t i) -> const auto& { return call.integers(i); };
  if (call.type(0) == ElementType::u64) accumulate(out, get, AsUnsigned{f}, AsUnsigned{last});
  else accumulate(out, get, f, last);
}

/// Max, Min, Sum (opset 8).
template <class F>
bool define_fold(std::string name, Specials specials, F f) {
  return define({std::move(name), specials, 8}, [f](auto& call) { fold(call, f, f); });
}

const auto add = [](auto a, auto b) { return a + b; };

struct AddAndDivide {
  double count;
  template <class S>
  S operator()(S a, S b) const {
    return (a + b) / static_cast<S>(count);
  }
};

/// The arithmetic mean of all inputs. Opset 8.
template <class T>
void mean(Call<T>& call) {
  fold(call, add, AddAndDivide{static_cast<double>(call.input_count())});
}

/// min(max(x, low), high); bounds are optional scalar inputs from opset 11 on, attributes before.
template <class T>
void clip(Call<T>& call) {
  const auto apply = [&](const auto& x, auto& y, auto low, auto high) {
    map(x, y, [=](auto element) { return minimum(maximum(element, low), high); });
  };
  call.flops(2 * static_cast<double>(element_count(call.shape(0))));
  if (integral(call)) {
    const Integers& x = call.integers(0);
    const auto bound = [&](std::size_t i, std::int64_t none) { return call.has_input(i) ? call.integers(i)[0] : none; };
    if (call.type(0) == ElementType::u64) call.fail("uint64 is not supported");
    apply(x, call.integers_out(0, x.shape(), call.type(0)), bound(1, std::numeric_limits<std::int64_t>::min()),
          bound(2, std::numeric_limits<std::int64_t>::max()));
    return;
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto bound = [&](std::size_t i, const char* name, double none) {
    if (call.opset() < 11) return static_cast<T>(call.real(name, none));
    return call.has_input(i) ? call.reals(i)[0] : static_cast<T>(none);
  };
  const Tensor<T>& x = call.reals(0);
  const T low = bound(1, "min", -infinity), high = bound(2, "max", infinity);
  Tensor<T>& y = call.template output_like<T>(0, x.shape());
  if constexpr (std::is_same_v<T, float>) {
    const auto n = static_cast<Eigen::Index>(x.size());
    Eigen::Map<Eigen::ArrayXf>(y.data(), n) = Eigen::Map<const Eigen::ArrayXf>(x.data(), n).max(low).min(high);
  } else {
    apply(x, y, low, high);
  }
}

struct Shift {
  bool left;
  std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    const auto bits = static_cast<std::uint64_t>(a);
    if (b < 0 || b > 63) return 0;
    return static_cast<std::int64_t>(left ? bits << b : bits >> b);
  }
};

/// a << b or a >> b of unsigned integers, by attribute direction; a shift by the width or more gives 0.
/// Opset 11.
template <class T>
void shift(Call<T>& call) {
  const Shape shape = broadcast_inputs(call);
  const std::string direction = call.text("direction");
  call.require(direction == "LEFT" || direction == "RIGHT", "attribute direction must be LEFT or RIGHT, got " + direction);
  zip(call.integers(0), call.integers(1), call.integers_out(0, shape, call.type(0)), Shift{direction == "LEFT"});
}

const bool defined[] = {
    define_ring("Add", true, add),
    define_ring("Sub", true, [](auto a, auto b) { return a - b; }),
    define_ring("Mul", false, [](auto a, auto b) { return a * b; }),
    define({"Div", Specials::nan, 7}, [](auto& call) { divide(call); }),
    define({"Mod", Specials::nan, 10}, [](auto& call) { modulo(call); }),
    define({"Pow", Specials::infinite, 7}, [](auto& call) { power(call); }),
    // C's fmax drops NaN, NumPy's maximum keeps it.
    define_fold("Max", Specials::infinite, [](auto a, auto b) { return maximum(a, b); }),
    define_fold("Min", Specials::infinite, [](auto a, auto b) { return minimum(a, b); }),
    define_fold("Sum", Specials::nan, add),
    define({"Mean", Specials::nan, 8}, [](auto& call) { mean(call); }),
    define({"Clip", Specials::infinite, 6}, [](auto& call) { clip(call); }),
    define({"BitShift", Specials::nan, 11}, [](auto& call) { shift(call); }),
};

}  // namespace
}  // namespace assay::oracle
