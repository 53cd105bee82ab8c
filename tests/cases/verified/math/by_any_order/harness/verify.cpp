// SPDX-License-Identifier: Apache-2.0
#include <assay/oracle/harness.h>

#include <algorithm>

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto &x = inputs["x"], &y = outputs["y"], &index = outputs["index"];
  const auto n = x.extent(0);
  std::vector<bool> seen(static_cast<std::size_t>(n));
  double off = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t at = index.index(n, i);
    if (seen[at]) residuals.refuse("index " + std::to_string(at) + " comes twice");
    seen[at] = true;
    off = std::max(off, std::abs(y.real(i) - x.real(at)));
  }
  residuals.add("numbers", off, 1e-6);
}

ASSAY_ANOTHER(inputs, outputs) {
  std::ranges::reverse(outputs["y"].reals());
  std::ranges::reverse(outputs["index"].integers());
}
