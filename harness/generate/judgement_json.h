// SPDX-License-Identifier: Apache-2.0
// A judgement as a line of verdicts.jsonl has it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "assay/generate/answer.h"
#include "assay/generate/judge.h"

namespace assay::generate {

nlohmann::json judgement_json(const Judgement& judgement);
/// nullopt where the line has none.
std::optional<Judgement> judgement_of(const nlohmann::json& line);

/// Of an answer that nobody needs to judge: it has no candidate.
std::optional<Judgement> judgement_without_judge(const Answer& answer, bool cut_off);

}  // namespace assay::generate
