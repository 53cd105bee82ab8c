// SPDX-License-Identifier: Apache-2.0
// ComputeEval's exchange formats: a gzipped tar of metadata.json and problems.jsonl (or solutions.jsonl), the lines alone, the layout of
// its data set, and folders of problems. All of it is somebody else's: checked before anything is written.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/problem/problem.h"

namespace assay::problem {

struct Pack {
  std::string file;                             ///< what messages call it
  bool solutions = false;                       ///< lines are solutions, not problems
  nlohmann::ordered_json metadata;              ///< null where there is none
  std::vector<nlohmann::ordered_json> records;  ///< in the order of the lines
  std::size_t hashes = 0;                       ///< lines whose hash was there, and right
};

/// Reads a pack, JSONL (also gzipped), or a folder: of a data set (`release` chooses among those of an archive), or of problems. Ids
/// are different, hashes right, paths plain, and every record is a problem, or a solution. Throws ProblemError.
Pack read_pack(const std::filesystem::path& from, const std::string& release = "");

/// The name of each problem's task. Throws ProblemError where two ids would share one.
std::vector<std::string> task_names(const Pack& pack);

/// A file of a solution, or of several.
nlohmann::ordered_json solution_record(const std::string& id, const std::vector<TextFile>& files);
std::vector<TextFile> solution_files(const nlohmann::ordered_json& record, std::string_view where);

/// The bytes of a pack. The same records and metadata give the same bytes.
std::string pack_bytes(const Pack& pack);

/// Metadata of a pack of these records: number, hashes. `created` is an ISO time without a zone.
nlohmann::ordered_json metadata_of(const Pack& pack, const std::string& release, const std::string& created);

/// Lower-case hexadecimal MD5, which the format demands.
std::string md5(std::string_view bytes);

}  // namespace assay::problem
