// SPDX-License-Identifier: Apache-2.0
// A problem as a task's folder: problem-spec.yaml (or task.yaml with `interface: program`) beside context/, test/ and solution/.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "assay/problem/problem.h"

namespace assay::problem {

/// Whether `spec` is a problem's: by its name, or a line `interface: program`.
bool is_problem(const std::filesystem::path& spec);

/// The record of the folder's problem, with the files' contents. Throws ProblemError naming the file and the key.
nlohmann::ordered_json read_folder_record(const std::filesystem::path& spec);
Problem read_problem(const std::filesystem::path& spec);

/// What the fields and files of the problem are, as one text: two are the same where the texts are.
std::string own_text(const std::filesystem::path& spec);

/// Writes <folder>/problem-spec.yaml and its files, so that read_folder_record() gives the same record.
void write_folder(const nlohmann::ordered_json& record, const std::filesystem::path& folder);

}  // namespace assay::problem
