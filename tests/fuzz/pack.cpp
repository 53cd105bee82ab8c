// SPDX-License-Identifier: Apache-2.0
// What `assay import` reads of somebody else's: packs (tar, gzipped or not), lines of JSON, problem-spec.yaml. An error that names the
// file, or problems that are written as folders and as a pack, and read again unchanged, with no path that leads out of them.
#include "assay/problem/pack.h"

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "../support/temporary_folder.h"
#include "assay/problem/problem_folder.h"
#include "property.h"

namespace assay::pack_target {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using problem::ProblemError;

constexpr std::size_t kBlock = 512, kMagicAt = 257, kSumAt = 148, kSumBytes = 8;
constexpr std::string_view kMagic = "ustar", kGzip = "\x1f\x8b";

bool is_tar(std::string_view bytes) { return bytes.size() >= kBlock && bytes.substr(kMagicAt).starts_with(kMagic); }

/// With the sums of its headers as they must be: else a change of a header is never read further.
std::string summed(std::string bytes) {
  for (std::size_t at = 0; at + kBlock <= bytes.size(); at += kBlock) {
    if (!std::string_view(bytes).substr(at + kMagicAt).starts_with(kMagic)) continue;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at + kSumAt), kSumBytes, ' ');
    unsigned sum = 0;
    for (std::size_t i = 0; i < kBlock; ++i) sum += static_cast<unsigned char>(bytes[at + i]);
    std::array<char, kSumBytes> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), sum, 8).ptr;
    std::copy(digits.data(), end, bytes.begin() + static_cast<std::ptrdiff_t>(at + kSumAt));
    bytes[at + kSumAt + static_cast<std::size_t>(end - digits.data())] = '\0';
  }
  return bytes;
}

void write(const fs::path& file, std::string_view bytes) { std::ofstream(file, std::ios::binary) << bytes; }

void require_inside(const std::vector<problem::TextFile>& files) {
  for (const problem::TextFile& file : files) {
    const fs::path path(file.path);
    require(path.is_relative() && path.lexically_normal() == path && *path.begin() != "..", "a path stays inside", file.path);
  }
}

void check_problem(const ordered_json& record, const fs::path& folder) {
  const ordered_json whole = problem::complete_record(record);
  require(problem::complete_record(whole) == whole, "a record is completed once", whole.dump());
  const problem::Problem read = problem::read_record(whole, "whole");
  for (const auto* files : {&read.context, &read.test, &read.solution}) require_inside(*files);
  problem::prompt_for(read);
  fs::remove_all(folder);
  try {
    problem::write_folder(whole, folder);  // which compares what it reads again
  } catch (const ProblemError& error) {
    require(false, "a folder says what the record said", error.what());
  }
  require(problem::is_problem(folder / "problem-spec.yaml"), "a folder that was written is a problem");
}

/// What was accepted is written as a pack, and is the same again.
void check_pack(const problem::Pack& pack, const fs::path& folder) {
  if (!accepts<ProblemError>("", [&] { problem::task_names(pack); })) return;
  problem::Pack again = pack;
  for (std::size_t i = 0; i < pack.records.size(); ++i) {
    if (pack.solutions) require_inside(problem::solution_files(pack.records[i], "solution"));
    else check_problem(pack.records[i], folder / "problem");
    if (!pack.solutions) again.records[i] = problem::complete_record(pack.records[i]);
  }
  again.metadata = problem::metadata_of(again, "1", "2026-01-01T00:00:00");
  const fs::path file = folder / "again.tar.gz";
  const std::string bytes = problem::pack_bytes(again);
  write(file, bytes);
  try {
    const problem::Pack reread = problem::read_pack(file);
    require(reread.records == again.records && reread.metadata == again.metadata, "a pack comes back as it was");
    require(reread.solutions || reread.hashes == reread.records.size(), "each of its lines has a hash");
    require(problem::pack_bytes(reread) == bytes, "and is written in the same bytes");
  } catch (const ProblemError& error) {
    require(false, "a pack that was written is read", error.what());
  }
}

}  // namespace

FUZZ_TARGET(pack) {
  static const TemporaryFolder folder;
  const std::string_view bytes = text_of(data, size);
  std::string name = "problem-spec.yaml";
  if (is_tar(bytes)) name = "in.tar";
  else if (bytes.starts_with(kGzip)) name = "in.tar.gz";
  else if (bytes.starts_with("{")) name = "in.jsonl";
  else if (bytes.starts_with("\n{")) name = "in-solutions.jsonl";
  const fs::path file = folder / name;
  write(file, name == "in.tar" ? summed(std::string(bytes)) : std::string(bytes));
  if (name == "problem-spec.yaml") {
    ordered_json record;
    const bool accepted = accepts<ProblemError>(folder.path().string(), [&] {
      record = problem::read_folder_record(file);
      problem::read_record(record, file.string());
    });
    if (accepted) check_problem(record, folder / "problem");
    return 0;
  }
  problem::Pack pack;
  if (accepts<ProblemError>(name, [&] { pack = problem::read_pack(file); })) check_pack(pack, folder.path());
  return 0;
}

}  // namespace assay::pack_target
