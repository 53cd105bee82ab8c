// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/judge/plan.h"
#include "assay/record/record.h"

namespace assay {

/// The fields that every stage's record has; its verdict is HARNESS_ERROR until the stage finishes.
record::Record begin_record(const Plan& plan, const Candidate& candidate, record::Stage stage);

}  // namespace assay
