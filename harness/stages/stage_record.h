// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "assay/record/record.h"
#include "assay/trial/plan.h"

namespace assay::stages {

/// The fields that every stage's record has; its verdict is HARNESS_ERROR until the stage finishes.
record::Record begin_record(const trial::Plan& plan, const trial::Candidate& candidate, record::Stage stage);

/// Prints the record, then `text` (record::print_result), keeps both where the candidate's results are kept, and returns the exit code.
int conclude(const record::Record& record, const std::string& text, const trial::Candidate& candidate);

}  // namespace assay::stages
