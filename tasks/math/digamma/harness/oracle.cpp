// SPDX-License-Identifier: Apache-2.0
// Digamma, by Boost.Math.
#include <assay/oracle/harness.h>

#include <boost/math/special_functions/digamma.hpp>

ASSAY_ORACLE(inputs, outputs) {
  const auto x = inputs["x"].reals();
  const auto y = outputs["y"].reals();
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = boost::math::digamma(x[i]);
}
