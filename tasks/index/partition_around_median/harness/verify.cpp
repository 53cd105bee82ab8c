// SPDX-License-Identifier: Apache-2.0
// The same numbers, to the last bit, and those on either side of the middle on their own side.
#include <assay/oracle/harness.h>

#include <algorithm>

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto columns = static_cast<std::size_t>(inputs["x"].extent(1)), middle = columns / 2;
  const auto x = inputs["x"].reals(), y = outputs["y"].reals();
  double changed = 0, misplaced = 0;
  for (std::size_t first = 0; first < y.size(); first += columns) {
    const auto row = y.subspan(first, columns);
    std::vector<double> before(x.begin() + first, x.begin() + first + columns), after(row.begin(), row.end());
    std::ranges::sort(before);
    std::ranges::sort(after);
    for (std::size_t i = 0; i < columns; ++i) {
      changed = std::max(changed, std::abs(before[i] - after[i]));
      misplaced = std::max(misplaced, i < middle ? row[i] - row[middle] : row[middle] - row[i]);
    }
  }
  residuals.add("change of the numbers", changed, 0);
  residuals.add("number on the wrong side", misplaced, 0);
}

ASSAY_ANOTHER(inputs, outputs) {
  const auto columns = static_cast<std::size_t>(inputs["x"].extent(1)), middle = columns / 2;
  const auto y = outputs["y"].reals();
  for (std::size_t first = 0; first < y.size(); first += columns) std::ranges::reverse(y.subspan(first, middle));
}
