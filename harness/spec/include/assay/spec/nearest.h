// SPDX-License-Identifier: Apache-2.0
// Suggestions for a mistyped name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::spec {

/// ". did you mean: softmax?", the names of `known` that are nearest to `name`, at most three; empty where none is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace assay::spec
