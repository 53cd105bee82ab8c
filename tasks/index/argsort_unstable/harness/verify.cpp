// SPDX-License-Identifier: Apache-2.0
// Each row is a permutation, and the numbers do not fall along it.
#include <assay/oracle/harness.h>

#include <algorithm>

namespace {

/// Whether row r of `index` names each of the C places once; WrongOutput where it does not.
void require_permutation(const assay::harness::Tensor& index, std::int64_t r, std::int64_t count) {
  std::vector<bool> seen(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t at = index.index(count, r, i);
    if (seen[at]) throw assay::harness::WrongOutput("row " + std::to_string(r) + " names place " + std::to_string(at) + " twice");
    seen[at] = true;
  }
}

}  // namespace

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto &x = inputs["x"], &index = outputs["index"];
  double fall = 0;
  for (std::int64_t r = 0; r < x.extent(0); ++r) {
    require_permutation(index, r, x.extent(1));
    for (std::int64_t i = 1; i < x.extent(1); ++i) fall = std::max(fall, x.real(r, index.integer(r, i - 1)) - x.real(r, index.integer(r, i)));
  }
  residuals.add("fall between neighbours", fall, 0);
}

// Equal neighbours in the other order.
ASSAY_ANOTHER(inputs, outputs) {
  const auto& x = inputs["x"];
  auto& index = outputs["index"];
  for (std::int64_t r = 0; r < x.extent(0); ++r)
    for (std::int64_t i = 1; i < x.extent(1); i += 2)
      if (x.real(r, index.integer(r, i - 1)) == x.real(r, index.integer(r, i))) std::swap(index.integer(r, i - 1), index.integer(r, i));
}
