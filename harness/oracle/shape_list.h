// SPDX-License-Identifier: Apache-2.0
// Lists that older opsets give as an attribute and newer ones as an input: axes, pads, starts, ...
#pragma once

#include "assay/oracle/operator.h"

namespace assay::oracle {

/// Input i where present, else the attribute `name`, else nothing.
template <class T>
std::optional<std::vector<std::int64_t>> list_argument(const Call<T>& call, std::size_t i, const std::string& name) {
  if (call.has_input(i)) return call.integer_list(i);
  if (call.has_attribute(name)) return call.integer_list(name);
  return {};
}

/// The same for axes of a tensor of `rank`, counted from its front.
template <class T>
std::optional<std::vector<std::size_t>> axis_list(const Call<T>& call, std::size_t i, std::size_t rank, const std::string& name = "axes") {
  const auto given = list_argument(call, i, name);
  if (!given) return {};
  std::vector<std::size_t> axes;
  for (const std::int64_t axis : *given) axes.push_back(call.axis(axis, rank));
  return axes;
}

}  // namespace assay::oracle
