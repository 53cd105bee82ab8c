// SPDX-License-Identifier: Apache-2.0
// Euler-Maclaurin summation: 20 terms as they stand, the rest by its integral, half a term and six corrections (B2k / (2k)!).
#include <assay/oracle/harness.h>

#include <cmath>

namespace {

double zeta(double x, double q) {
  constexpr int kTerms = 20;
  constexpr double kCorrections[] = {1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160, -691.0 / 1307674368000};
  double sum = 0;
  for (int k = 0; k < kTerms; ++k) sum += std::pow(k + q, -x);
  const double end = q + kTerms;
  sum += std::pow(end, 1 - x) / (x - 1) + 0.5 * std::pow(end, -x);
  double factor = x * std::pow(end, -x - 1);  // x (x + 1) ... / end^(x + 2k - 1)
  for (int k = 0; k < 6; ++k) {
    sum += kCorrections[k] * factor;
    factor *= (x + 2 * k + 1) * (x + 2 * k + 2) / (end * end);
  }
  return sum;
}

}  // namespace

ASSAY_ORACLE(inputs, outputs) {
  const auto x = inputs["x"].reals(), q = inputs["q"].reals();
  const auto y = outputs["y"].reals();
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = zeta(x[i], q[i]);
}
