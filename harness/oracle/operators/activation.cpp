// SPDX-License-Identifier: Apache-2.0
// ONNX activation functions of one element: x [any shape] -> y [same shape]. Functions with a kink state both
// branches, so that over Bounded an argument whose error reaches the kink gets both branches' errors. Softmax
// is in softmax.cpp.
#include <fmt/core.h>

#include <unsupported/Eigen/SpecialFunctions>

#include "unary.h"

namespace assay::oracle {
namespace {

/// max(x, 0). Opset 14.
struct Relu {
  template <class T>
  T operator()(T x) const {
    return maximum(x, T(0));
  }
};

struct Sigmoid {
  template <class T>
  T operator()(T x) const {
    return logistic(x);
  }
  // Eigen's own logistic() is off by 25 ulp where x is negative.
  ASSAY_ARRAY_FORM(((-x).exp() + 1).inverse())
};

ASSAY_FUNCTION(Softsign, x / (T(1) + abs(x)), x / (1 + x.abs()))

struct Softplus {
  template <class T>
  T operator()(T x) const {
    T y = log_one_plus_exp(x);
    // ONNX's own formula rounds 1 + e^x, which leaves an error of about u in the logarithm.
    if constexpr (std::is_same_v<T, Bounded>) y = {y.value, y.error + 1};
    return y;
  }
  ASSAY_ARRAY_FORM(x.max(0.0F) + (-x.abs()).exp().log1p())
};

/// x tanh(softplus(x)). Opset 18.
struct Mish {
  ASSAY_SCALAR_FORM(x* tanh(Softplus{}(x)))
  ASSAY_ARRAY_FORM(x* Softplus{}.array(x).tanh())
};

struct LeakyRelu {
  double alpha;
  template <class T>
  T operator()(T x) const {
    return piecewise(x, 0, static_cast<T>(alpha) * x, x);
  }
};

/// scale x where x >= 0, scale alpha (e^(x / width) - 1) below: Elu, Selu and Celu.
struct Exponential {
  double alpha, scale, width;
  template <class T>
  T operator()(T x) const {
    return piecewise(x, 0, static_cast<T>(scale) * exponential_below(alpha, width, x), static_cast<T>(scale) * x);
  }
  template <class A>
  auto array(const A& x) const {
    const auto s = static_cast<float>(scale), a = static_cast<float>(scale * alpha), w = static_cast<float>(1 / width);
    return s * x.max(0.0F) + a * ((x.min(0.0F) * w).exp() - 1);
  }
};

/// max(0, min(1, alpha x + beta)).
struct HardSigmoid {
  double alpha, beta;
  template <class T>
  T operator()(T x) const {
    return maximum(T(0), minimum(T(1), static_cast<T>(alpha) * x + static_cast<T>(beta)));
  }
};

/// x max(0, min(1, x / 6 + 1/2)). Opset 14.
struct HardSwish {
  template <class T>
  T operator()(T x) const {
    return x * HardSigmoid{1.0 / 6, 0.5}(x);
  }
};

/// `chosen`, or over Bounded either of the two where x's error reaches the step at `place`.
template <class S>
S step(S x, double place, S chosen, S other) {
  if constexpr (std::is_same_v<S, Bounded>)
    if (open_between(x, Bounded(place))) return either(chosen, other);
  return chosen;
}

/// x where x > alpha, else 0.
struct ThresholdedRelu {
  double alpha;
  template <class T>
  T operator()(T x) const {
    const bool above = x > static_cast<T>(alpha);
    return step(x, alpha, above ? x : T(0), above ? T(0) : x);
  }
};

/// x / (1 + e^(-alpha x)). Opset 24 (Ramachandran et al., "Searching for Activation Functions", 2017).
struct Swish {
  double alpha;
  ASSAY_SCALAR_FORM(x / (T(1) + exp(-static_cast<T>(alpha) * x)))
  ASSAY_ARRAY_FORM(x / (1 + (x * static_cast<float>(-alpha)).exp()))
};

/// Swish of a, times b: the gate of a transformer's feed-forward layer. Opset 28 (Shazeer, "GLU Variants
/// Improve Transformer", 2020).
template <class T>
void swiglu(Call<T>& call) {
  const Swish swish{call.real("alpha", 1)};
  call.require(call.shape(0) == call.shape(1),
               fmt::format("a {} and b {} must have one shape", to_string(call.shape(0)), to_string(call.shape(1))));
  call.flops(6 * static_cast<double>(call.reals(0).size()));
  zip(call.reals(0), call.reals(1), call.template output_like<T>(0, call.shape(0)), [swish](T a, T b) -> T { return swish(a) * b; });
}

/// x Phi(x) with the normal distribution's Phi. Opset 20.
struct Gelu {
  ASSAY_SCALAR_FORM(T(0.5) * x * (T(1) + erf(x * T(M_SQRT1_2))))
  ASSAY_ARRAY_FORM(0.5F * x * (1 + (x * static_cast<float>(M_SQRT1_2)).erf()))
};

/// The same with tanh in place of erf.
struct GeluTanh {
  static constexpr double root = 0.7978845608028654;  // sqrt(2 / pi)
  ASSAY_SCALAR_FORM(T(0.5) * x * (T(1) + tanh(T(root) * (x + T(0.044715) * x * x * x))))
  ASSAY_ARRAY_FORM(0.5F * x * (1 + (static_cast<float>(root) * (x + 0.044715F * x.cube())).tanh()))
};

template <class T>
void gelu(Call<T>& call) {
  const std::string approximate = call.text("approximate", "none");
  call.require(approximate == "none" || approximate == "tanh",
               fmt::format("attribute approximate must be \"none\" or \"tanh\", got \"{}\"", approximate));
  if (approximate == "tanh") apply_unary(call, GeluTanh{}, 9);
  else apply_unary(call, Gelu{}, 5);
}

/// x where x >= 0, slope x below; slope broadcasts to x's shape. Before opset 7 slope is per channel, x [N,
/// C, ...].
template <class T>
void prelu(Call<T>& call) {
  const Shape& shape = call.shape(0);
  Shape slope_shape = call.shape(1);
  if (call.opset() < 7 && slope_shape.size() == 1 && shape.size() > 2) slope_shape.resize(shape.size() - 1, 1);
  if (slope_shape.size() > shape.size() || broadcast_shapes({slope_shape, shape}) != shape)
    call.fail(fmt::format("slope {} does not broadcast to x {}", to_string(slope_shape), to_string(shape)));
  call.flops(2 * static_cast<double>(element_count(shape)));
  const auto f = [](auto x, auto slope) {
    if constexpr (std::is_integral_v<decltype(x)>) return x < 0 ? slope * x : x;
    else return piecewise(x, 0, slope * x, x);
  };
  if (info(call.type(0)).element_class == ElementClass::integer)
    zip(call.integers(0), call.integers(1).reshaped(slope_shape), call.integers_out(0, shape, call.type(0)), f);
  else zip(call.reals(0), call.reals(1).reshaped(slope_shape), call.template output_like<T>(0, shape), f);
}

/// x + bias where x < -lambd, x - bias where x > lambd, 0 between. Opset 9.
struct Shrink {
  double lambda, bias;
  template <class S>
  S operator()(S x) const {
    double value;
    if constexpr (std::is_integral_v<S>) value = static_cast<double>(x);
    else value = value_of(x);
    const S offset = static_cast<S>(bias);
    const S below = x + offset, above = x - offset, zero = S(0);
    const S y = value < -lambda ? below : value > lambda ? above : zero;
    return step(x, value < 0 ? -lambda : lambda, y, value < -lambda || value > lambda ? zero : value < 0 ? below : above);
  }
};

const bool defined[] = {
    // C's fmax drops NaN, PyTorch keeps it.
    define_numeric_unary("Relu", Specials::infinite, Relu{}),
    define_unary("Sigmoid", Specials::nan, Sigmoid{}, 4),
    // inf / inf and inf * 0 below: implementations differ at infinity.
    define_unary("Softsign", Specials::finite, Softsign{}, 3),
    define_unary("Softplus", Specials::infinite, Softplus{}, 6),
    define_unary("Mish", Specials::finite, Mish{}, 8),
    define_unary("HardSwish", Specials::finite, HardSwish{}, 5),
    define({"LeakyRelu", Specials::infinite}, [](auto& call) { apply_unary(call, LeakyRelu{call.real("alpha", 0.01)}, 2); }),
    define({"Elu", Specials::infinite},
           [](auto& call) {
             apply_unary(call, Exponential{call.real("alpha", 1), 1, 1}, 4);
           }),
    define({"Selu", Specials::infinite},
           [](auto& call) {
             apply_unary(call, Exponential{call.real("alpha", 1.67326319217681884765625), call.real("gamma", 1.05070102214813232421875), 1},
                         5);
           }),
    define({"Celu", Specials::infinite},
           [](auto& call) {
             const double alpha = call.real("alpha", 1);
             apply_unary(call, Exponential{alpha, 1, alpha}, 5);
           }),
    define({"HardSigmoid", Specials::infinite},
           [](auto& call) {
             apply_unary(call, HardSigmoid{call.real("alpha", 0.2), call.real("beta", 0.5)}, 4);
           }),
    define({"ThresholdedRelu", Specials::infinite}, [](auto& call) { apply_unary(call, ThresholdedRelu{call.real("alpha", 1)}); }),
    define({"Shrink", Specials::infinite, 9},
           [](auto& call) {
             apply_numeric_unary(call, Shrink{call.real("lambd", 0.5), call.real("bias", 0)}, 2);
           }),
    // -inf / inf below.
    define({"Swish", Specials::finite, 24}, [](auto& call) { apply_unary(call, Swish{call.real("alpha", 1)}, 5); }),
    define({"SwiGLU", Specials::finite, 28}, [](auto& call) { swiglu(call); }),
    define({"Gelu", Specials::finite, 20}, [](auto& call) { gelu(call); }),
    define({"PRelu", Specials::infinite, 7}, [](auto& call) { prelu(call); }),
};

}  // namespace
}  // namespace assay::oracle
