// SPDX-License-Identifier: Apache-2.0
#include <assay/oracle/harness.h>

#include <algorithm>
#include <cstdint>

ASSAY_ORACLE(inputs, outputs) {
  const auto y = outputs["y"].integers();
  std::ranges::copy(inputs["x"].integers(), y.begin());
  auto state = static_cast<std::uint32_t>(inputs["seed"].integers()[0]);
  for (std::size_t i = y.size(); i-- > 1;) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    std::swap(y[i], y[state % (i + 1)]);
  }
}
