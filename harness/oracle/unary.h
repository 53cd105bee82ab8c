// SPDX-License-Identifier: Apache-2.0
// y = f(x) element by element. ASSAY_FUNCTION makes a functor of a formula in x over scalars and, for the
// float baseline, its vectorised form over Eigen arrays; apply_unary runs it.
#pragma once

#include <Eigen/Core>

#include "elementwise.h"

// Each std name is declared so that over double and float it hides Bounded's, which argument lookup adds
// back.
#define ASSAY_SCALAR_FORM(scalar_form) \
  template <class T>                   \
  T operator()(T x) const {            \
    using std::abs;                    \
    using std::exp;                    \
    using std::expm1;                  \
    using std::log;                    \
    using std::log1p;                  \
    using std::sqrt;                   \
    using std::sin;                    \
    using std::cos;                    \
    using std::tan;                    \
    using std::asin;                   \
    using std::acos;                   \
    using std::atan;                   \
    using std::sinh;                   \
    using std::cosh;                   \
    using std::tanh;                   \
    using std::asinh;                  \
    using std::acosh;                  \
    using std::atanh;                  \
    using std::erf;                    \
    using std::floor;                  \
    using std::ceil;                   \
    using std::nearbyint;              \
    return scalar_form;                \
  }
#define ASSAY_ARRAY_FORM(array_form) \
  template <class A>                 \
  auto array(const A& x) const {     \
    return array_form;               \
  }
#define ASSAY_FUNCTION(Name, scalar_form, array_form) \
  struct Name {                                       \
    ASSAY_SCALAR_FORM(scalar_form)                    \
    ASSAY_ARRAY_FORM(array_form)                      \
  };

namespace assay::oracle {

/// Output 0 = f(input 0) over reals; over float through f's array form where it has one. `flops`: those of f.
template <class T, class F>
void apply_unary(Call<T>& call, F f, double flops = 1) {
  const Tensor<T>& x = call.reals(0);
  call.flops(flops * static_cast<double>(x.size()));
  Tensor<T>& y = call.template output_like<T>(0, x.shape());
  if constexpr (std::is_same_v<T, float> && requires(Eigen::ArrayXf a) { f.array(a); }) {
    using Array = Eigen::Map<const Eigen::ArrayXf>;
    // In blocks: Eigen expressions that name x twice then find it in the first-level cache.
    constexpr std::int64_t block = 4096;
    const auto count = static_cast<std::int64_t>(x.size());
    for (std::int64_t i = 0; i < count; i += block) {
      const std::int64_t n = std::min(block, count - i);
      Eigen::Map<Eigen::ArrayXf>(y.data() + i, n) = f.array(Array(x.data() + i, n));
    }
  } else {
    map(x, y, f);
  }
}

/// The same over reals or integers.
template <class T, class F>
void apply_numeric_unary(Call<T>& call, F f, double flops = 1) {
  if (info(call.type(0)).element_class != ElementClass::integer) return apply_unary(call, f, flops);
  const Integers& x = call.integers(0);
  map(x, call.integers_out(0, x.shape(), call.type(0)), f);
}

template <class F>
bool define_unary(std::string name, Specials specials, F f, double flops = 1) {
  return define({.name = std::move(name), .specials = specials, .reads_all = true},
                [f, flops](auto& call) { apply_unary(call, f, flops); });
}

template <class F>
bool define_numeric_unary(std::string name, Specials specials, F f) {
  return define({.name = std::move(name), .specials = specials, .reads_all = true}, [f](auto& call) { apply_numeric_unary(call, f); });
}

}  // namespace assay::oracle
