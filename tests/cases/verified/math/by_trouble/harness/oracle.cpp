// SPDX-License-Identifier: Apache-2.0
#include <assay/oracle/harness.h>

#include <algorithm>

ASSAY_ORACLE(inputs, outputs) {
  const auto x = inputs["x"].reals();
  auto& y = outputs["y"];
  if (x[0] == 99) throw std::runtime_error("ninety-nine");
  std::ranges::copy(x, y.reals().begin());
  if (x[0] == 50) y.scales()[0] = 7;
}
