// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "assay/plan/candidate.h"
#include "assay/plan/plan.h"
#include "assay/record/record.h"

namespace assay::stages {

/// The fields that every stage's record has; its verdict is HARNESS_ERROR until the stage finishes.
record::Record begin_record(const plan::Plan& plan, const plan::Candidate& candidate, record::Stage stage);

/// Prints the record, then `text` (record::print_result), keeps both where the candidate's results are kept, and returns the exit code.
int conclude(const record::Record& record, const std::string& text, const plan::Candidate& candidate);

}  // namespace assay::stages
