// SPDX-License-Identifier: Apache-2.0
// ONNX comparisons, logic and bits, all with broadcasting: a, b -> boolean (Equal, Less, And), integer
// (BitwiseAnd) or the type of the chosen elements (Where). Over Bounded a comparison decides by value, as
// over double, and is open where its operands' errors leave it open.
#include "elementwise.h"

namespace assay::oracle {
namespace {

/// Which elements of `out` are open: where(x, y) tells it for each pair of a and b.
template <class A, class B, class Open>
std::vector<std::uint8_t> open_elements(const Tensor<A>& a, const Tensor<B>& b, const Shape& shape, Open where) {
  Booleans open(shape);
  zip(a, b, open, where);
  return {open.begin(), open.end()};
}

/// The open elements of input i as a tensor, all 0 where there are none.
template <class T>
Booleans opens_of(const Call<T>& call, std::size_t i) {
  Booleans open(call.shape(i));
  const std::vector<std::uint8_t>& given = call.open(i);
  if (given.empty()) std::fill(open.begin(), open.end(), std::uint8_t{0});
  else std::copy(given.begin(), given.end(), open.begin());
  return open;
}

template <class T>
bool any_open(const Call<T>& call, const std::vector<std::size_t>& inputs) {
  bool any = false;
  for (const std::size_t i : inputs) any = !call.open(i).empty() || any;
  return any;
}

/// y (boolean) = f(a, b) for reals, integers and booleans. Opset 7, 11 for Equal, 16 for LessOrEqual.
template <class F>
bool define_comparison(std::string name, int since, F f) {
  return define({std::move(name), Specials::nan, since}, [f](auto& call) {
    const Shape shape = broadcast_inputs(call);
    Booleans& out = call.booleans_out(0, shape);
    switch (info(call.type(0)).element_class) {
      case ElementClass::real:
        zip(call.reals(0), call.reals(1), out, f);
        if constexpr (std::is_same_v<typename std::decay_t<decltype(call)>::Scalar, Bounded>)
          call.leave_open(0, open_elements(call.reals(0), call.reals(1), shape, [](Bounded a, Bounded b) { return open_between(a, b); }));
        return;
      case ElementClass::boolean: return zip(call.booleans(0), call.booleans(1), out, f);
      case ElementClass::integer: break;
    }
    if (call.type(0) == ElementType::u64) zip(call.integers(0), call.integers(1), out, AsUnsigned{f});
    else zip(call.integers(0), call.integers(1), out, f);
  });
}

// The same over every scalar: functions of one type, compiled once.
const auto either_open = [](bool a, bool b) { return a | b; };
const auto choose = [](std::uint8_t condition, auto x, auto y) { return condition ? x : y; };

/// And, Or, Xor: opset 7.
template <class F>
bool define_logical(std::string name, F f) {
  return define({std::move(name), Specials::nan, 7}, [f](auto& call) {
    const Shape shape = broadcast_inputs(call);
    zip(call.booleans(0), call.booleans(1), call.booleans_out(0, shape), f);
    // Conservative: true or open is true, but counts as open.
    if (any_open(call, {0, 1})) call.leave_open(0, open_elements(opens_of(call, 0), opens_of(call, 1), shape, either_open));
  });
}

/// BitwiseAnd, BitwiseOr, BitwiseXor: opset 18.
template <class F>
bool define_bitwise(std::string name, F f) {
  return define({std::move(name), Specials::nan, 18}, [f](auto& call) {
    zip(call.integers(0), call.integers(1), call.integers_out(0, broadcast_inputs(call), call.type(0)), f);
  });
}

/// y = condition ? a : b, of any type. Opset 9.
template <class T>
void where(Call<T>& call) {
  const Shape shape = broadcast_inputs(call);
  call.flops(0);
  call.visit(1, [&]<class E>(const Tensor<E>& a) {
    const auto* b = std::get_if<Tensor<E>>(&call.input(2).elements);
    call.require(b != nullptr, "inputs 1 and 2 must have the same type");
    Tensor<E>& out = call.template output<E>(0, shape, call.type(1));
    if constexpr (std::is_same_v<E, Bounded>) {
      if (any_open(call, {0})) {
        // 2 marks an open condition: either value may be the right one.
        Booleans condition = opens_of(call, 0);
        zip(call.booleans(0), condition, condition, [](std::uint8_t c, std::uint8_t open) { return open == 0 ? c : c + 2; });
        return zip(condition, a, *b, out, [](std::uint8_t c, E x, E y) {
          const E chosen = c % 2 != 0 ? x : y;
          return c < 2 ? chosen : either(chosen, c % 2 != 0 ? y : x);
        });
      }
    }
    zip(call.booleans(0), a, *b, out, choose);
  });
}

/// Attributes detect_negative, detect_positive (both 1). Opset 10.
template <class T>
void is_infinite(Call<T>& call) {
  const bool negative = call.integer("detect_negative", 1) != 0, positive = call.integer("detect_positive", 1) != 0;
  const Tensor<T>& x = call.reals(0);
  map(x, call.booleans_out(0, x.shape()), [=](T element) {
    const double value = value_of(element);
    return std::isinf(value) && (value > 0 ? positive : negative);
  });
}

template <class T>
void is_nan(Call<T>& call) {
  const Tensor<T>& x = call.reals(0);
  map(x, call.booleans_out(0, x.shape()), [](T element) { return element != element; });
}

template <class T>
void logical_not(Call<T>& call) {
  const Booleans& x = call.booleans(0);
  map(x, call.booleans_out(0, x.shape()), [](std::uint8_t element) { return element == 0; });
  call.leave_open(0, call.open(0));
}

template <class T>
void bitwise_not(Call<T>& call) {
  const Integers& x = call.integers(0);
  map(x, call.integers_out(0, x.shape(), call.type(0)), [](std::int64_t element) { return ~element; });
}

const bool defined[] = {
    define_comparison("Equal", 7, [](auto a, auto b) { return a == b; }),
    define_comparison("Less", 7, [](auto a, auto b) { return a < b; }),
    define_comparison("LessOrEqual", 12, [](auto a, auto b) { return a <= b; }),
    define_comparison("Greater", 7, [](auto a, auto b) { return a > b; }),
    define_comparison("GreaterOrEqual", 12, [](auto a, auto b) { return a >= b; }),
    define_logical("And", [](bool a, bool b) { return a & b; }),
    define_logical("Or", [](bool a, bool b) { return a | b; }),
    define_logical("Xor", [](bool a, bool b) { return a != b; }),
    define_bitwise("BitwiseAnd", [](std::int64_t a, std::int64_t b) { return a & b; }),
    define_bitwise("BitwiseOr", [](std::int64_t a, std::int64_t b) { return a | b; }),
    define_bitwise("BitwiseXor", [](std::int64_t a, std::int64_t b) { return a ^ b; }),
    define({"BitwiseNot", Specials::nan, 18}, [](auto& call) { bitwise_not(call); }),
    define({"Where", Specials::nan, 9}, [](auto& call) { where(call); }),
    define({"IsInf", Specials::nan, 10}, [](auto& call) { is_infinite(call); }),
    define({"IsNaN", Specials::nan, 9}, [](auto& call) { is_nan(call); }),
    define({"Not", Specials::nan}, [](auto& call) { logical_not(call); }),
};

}  // namespace
}  // namespace assay::oracle
