// SPDX-License-Identifier: Apache-2.0
// The part of JSON Schema that answers of models are checked against: type (object, array, string), properties, required,
// additionalProperties: false, items, minItems, maxItems, minLength and maxLength.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace assay::generate {

/// What does not hold, each in one line that begins with the place: "/changes/0: must be a string". Empty: `value` is valid.
std::vector<std::string> schema_faults(const nlohmann::json& value, const nlohmann::json& schema);

/// The JSON object in an answer, alone or with fences and words around it; discarded (is_discarded()) where there is none.
nlohmann::json object_in(const std::string& answer);

}  // namespace assay::generate
