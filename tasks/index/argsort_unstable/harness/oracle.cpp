// SPDX-License-Identifier: Apache-2.0
// The stable order.
#include <assay/oracle/harness.h>

#include <algorithm>
#include <numeric>

ASSAY_ORACLE(inputs, outputs) {
  const auto& x = inputs["x"];
  const auto columns = x.extent(1);
  const auto all = outputs["index"].integers();
  for (std::int64_t r = 0; r < x.extent(0); ++r) {
    const auto row = all.subspan(static_cast<std::size_t>(r * columns), static_cast<std::size_t>(columns));
    std::iota(row.begin(), row.end(), 0);
    std::ranges::stable_sort(row, {}, [&](std::int64_t i) { return x.real(r, i); });
  }
}
