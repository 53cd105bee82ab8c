// SPDX-License-Identifier: Apache-2.0
#include <assay/oracle/harness.h>

#include <numeric>

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto x = inputs["x"].reals(), y = outputs["y"].reals();
  const double wanted = std::accumulate(x.begin(), x.end(), 0.0), got = -std::accumulate(y.begin(), y.end(), 0.0);
  if (got < -1e20 || got > 1e20) throw std::runtime_error("too much");
  residuals.add("sum", std::abs(got - wanted), 3.0 * static_cast<double>(x.size()));
}

ASSAY_ANOTHER(inputs, outputs) {
  for (double& y : outputs["y"].reals()) y = 9;
}
