// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "assay/plan/plan.h"
#include "assay/results/kept_result.h"

namespace assay::command {

/// Set for the second timing of a candidate: it is kept beside the first one, not in its place.
inline constexpr const char* retimed_variable = "ASSAY_RETIMED";

/// What results under `plan` are made of; the source is the caller's to add. Throws std::runtime_error.
results::Basis basis_of(const plan::Plan& plan);

}  // namespace assay::command
