// SPDX-License-Identifier: Apache-2.0
// The values are those of a sorted row, and each is where its index says.
#include <assay/oracle/harness.h>

#include <algorithm>
#include <functional>

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto &x = inputs["x"], &values = outputs["values"], &index = outputs["index"];
  const auto columns = x.extent(1), count = values.extent(1);
  double off = 0, elsewhere = 0;
  for (std::int64_t r = 0; r < x.extent(0); ++r) {
    const auto row = x.reals().subspan(static_cast<std::size_t>(r * columns), static_cast<std::size_t>(columns));
    std::vector<double> sorted(row.begin(), row.end());
    std::ranges::sort(sorted, std::greater());
    std::vector<bool> seen(static_cast<std::size_t>(columns));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t at = index.index(columns, r, i);
      if (seen[at]) residuals.refuse("row " + std::to_string(r) + " takes place " + std::to_string(at) + " twice");
      seen[at] = true;
      off = std::max(off, std::abs(values.real(r, i) - sorted[i]));
      elsewhere = std::max(elsewhere, std::abs(values.real(r, i) - x.real(r, at)));
    }
  }
  residuals.add("values", off, 0);
  residuals.add("values at the indices", elsewhere, 0);
}

// Equal neighbours in the other order.
ASSAY_ANOTHER(inputs, outputs) {
  auto &values = outputs["values"], &index = outputs["index"];
  for (std::int64_t r = 0; r < values.extent(0); ++r)
    for (std::int64_t i = 1; i < values.extent(1); i += 2)
      if (values.real(r, i - 1) == values.real(r, i)) std::swap(index.integer(r, i - 1), index.integer(r, i));
}
