// SPDX-License-Identifier: Apache-2.0
// Kernels add up a segment in any order, so that an error is relative to the sum of its magnitudes.
#include <assay/oracle/harness.h>

ASSAY_ORACLE(inputs, outputs) {
  const auto x = inputs["x"].reals();
  const auto flags = inputs["flags"].integers();
  const auto y = outputs["y"].reals(), scales = outputs["y"].scales();
  const auto columns = static_cast<std::size_t>(inputs["x"].extent(1));
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % columns == 0 || flags[i] != 0) sum = size = 0;
    y[i] = sum += x[i];
    scales[i] = size += std::abs(x[i]);
  }
}
