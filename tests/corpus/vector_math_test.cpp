// SPDX-License-Identifier: Apache-2.0
// references/blocks/vector_math.h and trigonometry.h against the C library in float64, on every 997th float and all special ones.
#include "blocks/vector_math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "blocks/trigonometry.h"

namespace {

using Function = float (*)(float);
using Exact = double (*)(double);
constexpr float kInfinity = std::numeric_limits<float>::infinity();

double exact_sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

template <void (*Each)(const float*, float*, std::int64_t)>
float one(float x) {
  float y = 0;
  Each(&x, &y, 1);
  return y;
}

/// The size of a unit in the last place of a float near `value`.
double unit_at(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent, std::numeric_limits<float>::min_exponent) - std::numeric_limits<float>::digits);
}

struct Case {
  const char* name;
  Function function;
  Exact exact;
  float low, high;  // arguments, to which NaN comes
  double units;
};

void PrintTo(const Case& of, std::ostream* to) { *to << of.name; }

void expect_near(const Case& of, float x) {
  const float got = of.function(x);
  const double exact = of.exact(x);
  const auto rounded = static_cast<float>(exact);
  if (std::isnan(exact)) {
    EXPECT_TRUE(std::isnan(got)) << x << " gives " << got;
  } else if (std::isinf(rounded) || rounded == 0) {
    EXPECT_TRUE(got == rounded && std::signbit(got) == std::signbit(rounded)) << x << " gives " << got << ", expected " << rounded;
  } else {
    EXPECT_LE(std::abs(got - exact), of.units * unit_at(exact)) << x << " gives " << got << ", expected " << exact;
  }
}

class VectorMath : public testing::TestWithParam<Case> {};

TEST_P(VectorMath, IsNearTheExactResult) {
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32) && !HasFailure(); bits += 997) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(bits));
    if ((x >= GetParam().low && x <= GetParam().high) || std::isnan(x)) expect_near(GetParam(), x);
  }
}

TEST_P(VectorMath, KeepsWhatTheCLibrarySaysOfSpecialValues) {
  for (const float x :
       {0.0f, -0.0f, 1.0f, -1.0f, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::denorm_min(),
        std::numeric_limits<float>::min(), std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()})
    if ((x >= GetParam().low && x <= GetParam().high) || std::isnan(x)) expect_near(GetParam(), x);
}

INSTANTIATE_TEST_SUITE_P(
    , VectorMath,
    testing::Values(
        Case{"exp", blocks::exp, std::exp, -kInfinity, kInfinity, 2}, Case{"exp2", blocks::exp2, std::exp2, -kInfinity, kInfinity, 2},
        Case{"expm1", blocks::expm1, std::expm1, -kInfinity, kInfinity, 2}, Case{"log", blocks::log, std::log, -kInfinity, kInfinity, 2},
        Case{"log1p", blocks::log1p, std::log1p, -kInfinity, kInfinity, 3},
        Case{"log1p_of_unit", blocks::log1p_of_unit, std::log1p, 0, 1, 2}, Case{"log2", blocks::log2, std::log2, -kInfinity, kInfinity, 3},
        Case{"log10", blocks::log10, std::log10, -kInfinity, kInfinity, 3}, Case{"tanh", blocks::tanh, std::tanh, -kInfinity, kInfinity, 3},
        Case{"sinh", blocks::sinh, std::sinh, -kInfinity, kInfinity, 3}, Case{"cosh", blocks::cosh, std::cosh, -kInfinity, kInfinity, 3},
        Case{"atanh", blocks::atanh, std::atanh, -kInfinity, kInfinity, 4},
        Case{"sigmoid", blocks::sigmoid, exact_sigmoid, -kInfinity, kInfinity, 3},
        Case{"erf", blocks::erf, std::erf, -kInfinity, kInfinity, 3}, Case{"erfc", blocks::erfc, std::erfc, -kInfinity, 2, 7},
        Case{"erfc_far", blocks::erfc, std::erfc, 2, 9, 81}, Case{"sin", one<blocks::sin>, std::sin, -kInfinity, kInfinity, 2},
        Case{"cos", one<blocks::cos>, std::cos, -kInfinity, kInfinity, 2},
        Case{"tan", one<blocks::tan>, std::tan, -kInfinity, kInfinity, 4}, Case{"atan", blocks::atan, std::atan, -kInfinity, kInfinity, 3},
        Case{"asin", blocks::asin, std::asin, -kInfinity, kInfinity, 3}, Case{"acos", blocks::acos, std::acos, -kInfinity, kInfinity, 2}),
    [](const auto& info) { return info.param.name; });

}  // namespace
