// SPDX-License-Identifier: Apache-2.0
// J1, by Boost.Math.
#include <assay/oracle/harness.h>

#include <boost/math/special_functions/bessel.hpp>

ASSAY_ORACLE(inputs, outputs) {
  const auto x = inputs["x"].reals();
  const auto y = outputs["y"].reals();
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = boost::math::cyl_bessel_j(1, x[i]);
}
