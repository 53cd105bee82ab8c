// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "assay/results/kept_result.h"
#include "assay/trial/plan.h"

namespace assay {

/// Set for the second timing of a candidate: it is kept beside the first one, not in its place.
inline constexpr const char* retimed_variable = "ASSAY_RETIMED";

/// What results under the plan of `file` are made of; the source is the caller's to add. Throws std::runtime_error.
Basis basis_of(const std::filesystem::path& file, const trial::Plan& plan);

}  // namespace assay
