// SPDX-License-Identifier: Apache-2.0
// ONNX mathematical functions of one element: x [any shape] -> y [same shape]. Arithmetic on two or more
// tensors is in arithmetic.cpp. Source: the ONNX operators of the same names, opset 13; trigonometric ones
// opsets 7 and 9.
#include <unsupported/Eigen/SpecialFunctions>

#include "unary.h"

namespace assay::oracle {
namespace {

ASSAY_FUNCTION(Exp, exp(x), x.exp())
ASSAY_FUNCTION(Log, log(x), x.log())
/// No array form: Eigen's for AVX-512 is an estimate and a Newton step, which makes NaN of infinity.
struct Sqrt {
  ASSAY_SCALAR_FORM(sqrt(x))
};
ASSAY_FUNCTION(Reciprocal, T(1) / x, x.inverse())
ASSAY_FUNCTION(Erf, erf(x), x.erf())
ASSAY_FUNCTION(Abs, abs(x), x.abs())
ASSAY_FUNCTION(Neg, -x, -x)
ASSAY_FUNCTION(Floor, floor(x), x.floor())
ASSAY_FUNCTION(Ceil, ceil(x), x.ceil())
/// Halfway cases to even, which is the default rounding mode.
ASSAY_FUNCTION(Round, nearbyint(x), x.rint())
ASSAY_FUNCTION(Sin, sin(x), x.sin())
ASSAY_FUNCTION(Cos, cos(x), x.cos())
ASSAY_FUNCTION(Tan, tan(x), x.tan())
ASSAY_FUNCTION(Asin, asin(x), x.asin())
ASSAY_FUNCTION(Acos, acos(x), x.acos())
ASSAY_FUNCTION(Atan, atan(x), x.atan())
ASSAY_FUNCTION(Sinh, sinh(x), x.sinh())
ASSAY_FUNCTION(Cosh, cosh(x), x.cosh())
ASSAY_FUNCTION(Tanh, tanh(x), x.tanh())
ASSAY_FUNCTION(Asinh, asinh(x), x.asinh())
ASSAY_FUNCTION(Acosh, acosh(x), x.acosh())
ASSAY_FUNCTION(Atanh, atanh(x), x.atanh())

/// -1, 0 or 1; NaN stays NaN.
struct Sign {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_integral_v<T>) return (x > 0) - (x < 0);
    else if constexpr (std::is_same_v<T, Bounded>)
      return stepped(x, [](double v) { return v != v ? v : static_cast<double>((v > 0) - (v < 0)); });
    else return x != x ? exact(x) : static_cast<T>(static_cast<double>((x > T(0)) - (x < T(0))));
  }
};

const bool defined[] = {
    define_unary("Exp", Specials::nan, Exp{}),
    define_unary("Log", Specials::nan, Log{}),
    define_unary("Sqrt", Specials::nan, Sqrt{}),
    define_unary("Reciprocal", Specials::nan, Reciprocal{}),
    define_unary("Erf", Specials::nan, Erf{}),
    define_numeric_unary("Abs", Specials::nan, Abs{}),
    define_numeric_unary("Neg", Specials::nan, Neg{}),
    define_unary("Floor", Specials::nan, Floor{}),
    define_unary("Ceil", Specials::nan, Ceil{}),
    define_unary("Round", Specials::nan, Round{}),
    define_unary("Sin", Specials::nan, Sin{}),
    define_unary("Cos", Specials::nan, Cos{}),
    define_unary("Tan", Specials::nan, Tan{}),
    define_unary("Asin", Specials::nan, Asin{}),
    define_unary("Acos", Specials::nan, Acos{}),
    define_unary("Atan", Specials::nan, Atan{}),
    define_unary("Sinh", Specials::nan, Sinh{}),
    define_unary("Cosh", Specials::nan, Cosh{}),
    define_unary("Tanh", Specials::nan, Tanh{}),
    define_unary("Asinh", Specials::nan, Asinh{}),
    define_unary("Acosh", Specials::nan, Acosh{}),
    define_unary("Atanh", Specials::nan, Atanh{}),
    // NumPy and ONNX Runtime keep NaN, PyTorch returns 0.
    define_numeric_unary("Sign", Specials::infinite, Sign{}),
};

}  // namespace
}  // namespace assay::oracle
