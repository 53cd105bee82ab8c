// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/record/record.h"
#include "assay/trial/plan.h"

namespace assay::stages {

/// The fields that every stage's record has; its verdict is HARNESS_ERROR until the stage finishes.
record::Record begin_record(const trial::Plan& plan, const trial::Candidate& candidate, record::Stage stage);

}  // namespace assay::stages
