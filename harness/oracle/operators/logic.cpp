// SPDX-License-Identifier: Apache-2.0
// ONNX comparisons, logic and bits, all with broadcasting: a, b -> boolean (Equal, Less, And), integer
// (BitwiseAnd) or the type of the chosen elements (Where). Over Bounded a comparison decides by value, as
// over double.
#include "elementwise.h"

namespace assay {
namespace {

/// y (boolean) = f(a, b) for reals, integers and booleans. Opset 7, 11 for Equal, 16 for LessOrEqual.
template <class F>
bool define_comparison(std::string name, int since, F f) {
  return define({std::move(name), Specials::nan, since}, [f](auto& call) {
    const Shape shape = broadcast_inputs(call);
    Booleans& out = call.booleans_out(0, shape);
    switch (info(call.type(0)).element_class) {
      case ElementClass::real:
        return zip(call.reals(0), call.reals(1), out, f);
      case ElementClass::boolean:
        return zip(call.booleans(0), call.booleans(1), out, f);
      case ElementClass::integer:
        break;
    }
    if (call.type(0) == ElementType::u64)
      zip(call.integers(0), call.integers(1), out, [f](std::int64_t a, std::int64_t b) {
        return f(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
      });
    else
      zip(call.integers(0), call.integers(1), out, f);
  });
}

/// And, Or, Xor: opset 7.
template <class F>
bool define_logical(std::string name, F f) {
  return define({std::move(name), Specials::nan, 7}, [f](auto& call) {
    zip(call.booleans(0), call.booleans(1), call.booleans_out(0, broadcast_inputs(call)), f);
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
    zip(call.booleans(0), a, *b, call.template output<E>(0, shape, call.type(1)),
        [](std::uint8_t condition, E x, E y) { return condition ? x : y; });
  });
}

/// Attributes detect_negative, detect_positive (both 1). Opset 10.
template <class T>
void is_infinite(Call<T>& call) {
  const bool negative = call.integer("detect_negative", 1) != 0,
             positive = call.integer("detect_positive", 1) != 0;
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
}  // namespace assay
