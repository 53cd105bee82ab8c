// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "assay/plan/plan.h"
#include "assay/results/kept_result.h"

namespace assay::stages {

/// What results under `plan` are made of; the source is the caller's to add. Throws std::runtime_error.
results::Basis basis_of(const plan::Plan& plan);

}  // namespace assay::stages
