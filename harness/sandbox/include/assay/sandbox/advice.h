// SPDX-License-Identifier: Apache-2.0
// What an administrator would have to change for a stronger sandbox.
#pragma once

#include <string>
#include <vector>

#include "assay/sandbox/probe.h"

namespace assay::sandbox {

/// One line for each layer that is missing: what stands in its way here, and what to do. Empty where the tier is full.
std::vector<std::string> advice(const OfferedLayers& offer);

}  // namespace assay::sandbox
