// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "assay/judge/plan.h"
#include "assay/record/record.h"

namespace assay {

/// The fields that every stage's record has; its verdict is HARNESS_ERROR until the stage finishes.
record::Record begin_record(const Plan& plan, const Candidate& candidate, record::Stage stage);

/// Prints the record, then `text` (record::print_result), keeps both where the candidate's results are kept, and returns the exit code.
int conclude(const record::Record& record, const std::string& text, const Candidate& candidate);

}  // namespace assay
