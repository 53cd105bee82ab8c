// SPDX-License-Identifier: Apache-2.0
// Zero points of quantised tensors, for the integer products and the quantisation family.
#pragma once

#include <fmt/core.h>

#include "assay/oracle/operator.h"

namespace assay::oracle {

/// Integer input x less its zero points: input `zero` holds none, one, or one per element of dimension
/// `axis`.
template <class T>
Integers centred(const Call<T>& call, std::size_t x, std::size_t zero, std::size_t axis) {
  if (!call.has_input(zero)) return call.integers(x);
  const Integers& from = call.integers(x);
  const Integers& points = call.integers(zero);
  const auto count = static_cast<std::int64_t>(points.size());
  if (count != 1 && (axis >= from.rank() || count != from.shape()[axis]))
    call.fail(fmt::format("input {} has {} zero points; it needs 1 or the extent of dimension {}", zero, count, axis));
  std::int64_t below = 1;
  for (std::size_t d = axis + 1; d < from.rank(); ++d) below *= from.shape()[d];
  Integers to(from.shape());
  for (std::size_t i = 0; i < from.size(); ++i)
    to[i] = from[i] - points[count == 1 ? 0 : static_cast<std::size_t>(static_cast<std::int64_t>(i) / below % count)];
  return to;
}

}  // namespace assay::oracle
