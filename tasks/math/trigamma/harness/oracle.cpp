// SPDX-License-Identifier: Apache-2.0
// Trigamma, by Boost.Math.
#include <assay/oracle/harness.h>

#include <boost/math/special_functions/trigamma.hpp>

ASSAY_ORACLE(inputs, outputs) {
  const auto x = inputs["x"].reals();
  const auto y = outputs["y"].reals();
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = boost::math::trigamma(x[i]);
}
