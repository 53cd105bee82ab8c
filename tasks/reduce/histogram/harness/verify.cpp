// SPDX-License-Identifier: Apache-2.0
// As many elements as are certain to be below a border, and no more than can be, must be counted in the bins below it.
#include <assay/oracle/harness.h>

#include "bins.h"

namespace {

constexpr double kRoundings = 8;

}  // namespace

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto y = outputs["y"].reals();
  const Bins bins = bins_of(inputs, y.size());
  std::vector<double> certain(y.size()), possible(y.size());
  for (const double x : inputs["x"].reals()) {
    if (!bins.hold(x)) continue;
    certain[static_cast<std::size_t>(bins.of(x, kRoundings))] += 1;
    possible[static_cast<std::size_t>(bins.of(x, -kRoundings))] += 1;
  }
  double fraction = 0, off = 0, least = 0, most = 0, counted = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    least += certain[i];
    most += possible[i];
    counted += y[i];
    fraction = std::max({fraction, std::abs(y[i] - std::round(y[i])), -y[i]});
    off = std::max({off, least - counted, counted - most});
  }
  residuals.add("counts that are no whole numbers from 0 on", fraction, 0);
  residuals.add("elements counted on the wrong side of a border", off, 0);
}

// What lies next to a border counts on its other side.
ASSAY_ANOTHER(inputs, outputs) {
  const auto y = outputs["y"].reals();
  const Bins bins = bins_of(inputs, y.size());
  for (const double x : inputs["x"].reals()) {
    if (!bins.hold(x)) continue;
    const std::int64_t bin = bins.of(x, 0), below = bins.of(x, -kRoundings / 2);
    if (bin == below) continue;
    y[static_cast<std::size_t>(bin)] -= 1;
    y[static_cast<std::size_t>(below)] += 1;
  }
}
