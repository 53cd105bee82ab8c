// SPDX-License-Identifier: Apache-2.0
// Records made up field by field, as a judge would have written them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "assay/record/record.h"

namespace assay::record {

/// The record of a PASS for test `name`, with `changes` merged in (a null removes the field).
nlohmann::json made_record(const std::string& name, const nlohmann::json& changes = {});

/// A record of that stage with every field that it can have, none of them at its default.
Record full_record(Stage stage);

/// "assay: {...}\n" and a line of chatter.
std::string made_output(const nlohmann::json& record);

}  // namespace assay::record
