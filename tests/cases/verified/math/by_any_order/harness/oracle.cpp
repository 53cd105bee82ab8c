// SPDX-License-Identifier: Apache-2.0
#include <assay/oracle/harness.h>

#include <algorithm>
#include <numeric>

ASSAY_ORACLE(inputs, outputs) {
  const auto x = inputs["x"].reals();
  const auto index = outputs["index"].integers();
  std::iota(index.begin(), index.end(), 0);
  std::ranges::stable_sort(index, {}, [&](std::int64_t i) { return x[i]; });
  std::ranges::transform(index, outputs["y"].reals().begin(), [&](std::int64_t i) { return x[i]; });
}
