// SPDX-License-Identifier: Apache-2.0
// A reply as a line of answers.jsonl has it.
#pragma once

#include <nlohmann/json.hpp>

#include "assay/generate/model.h"

namespace assay::generate {

/// Without the id.
nlohmann::json reply_json(const Reply& reply);
/// What is missing or of another type is as if it were empty.
Reply reply_of(const nlohmann::json& line);

std::string text_member(const nlohmann::json& line, const char* key);
std::int64_t whole_member(const nlohmann::json& line, const char* key);

}  // namespace assay::generate
