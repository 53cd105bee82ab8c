// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "assay/score/scorer.h"

namespace assay::score {

/// What Prometheus reads (text format 0.0.4). `responses`: how many, by status.
std::string metrics_text(const Statistics& statistics, const std::map<int, std::uint64_t>& responses);

}  // namespace assay::score
