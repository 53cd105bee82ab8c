// SPDX-License-Identifier: Apache-2.0
// Ai, by Boost.Math. Near zero, where that gives Ai(0) for all x, by the Maclaurin series (DLMF 9.4.1), whose next terms are below 10^-20.
#include <assay/oracle/harness.h>

#include <boost/math/special_functions/airy.hpp>
#include <cmath>

namespace {

double near_zero(double x) {
  constexpr double kAi = 0.35502805388781723926, kSlope = -0.25881940379280679840;
  const double cube = x * x * x;
  return kAi * (1 + cube / 6 * (1 + cube / 30)) + kSlope * x * (1 + cube / 12 * (1 + cube / 42));
}

}  // namespace

ASSAY_ORACLE(inputs, outputs) {
  const auto x = inputs["x"].reals();
  const auto y = outputs["y"].reals();
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = std::abs(x[i]) < 1e-2 ? near_zero(x[i]) : boost::math::airy_ai(x[i]);
}
