// SPDX-License-Identifier: Apache-2.0
// Results are kept by test, so that judging a few tests anew loses none of the others:
//   <folder>/<run>/<task>.<backend>.<NNN>.<stage>.json          the newest result
//   <folder>/<run>/....began                                    the test is running, or it ended without a result
// Our own fixtures are kept like tests of a run `assay`; a canary's file has its time in its name, since all of them count.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/spec/descriptor.h"

namespace assay::results {

/// Fingerprints of what a result was made of.
struct Basis {
  std::string source;  ///< the candidate's files
  std::string plan;    ///< the plan and the task
  std::string tool;    ///< the programs that judge

  bool operator==(const Basis&) const = default;
};

struct KeptResult {
  std::string test;          ///< "<run>.<task>.<backend>.<NNN>.<stage>", "assay.<task>.cases", "assay.canary.before"
  std::string began, ended;  ///< UTC, "2026-11-23T10:59:13.000001Z", so that texts compare as times do
  Basis basis;
  int exit_code = 0;
  std::string record;  ///< JSON; empty for a fixture
  std::string output;  ///< what followed the record

  /// False where the test began and left no result: it was killed, or the judge died.
  bool is_complete() const { return !ended.empty(); }
};

/// The result of one running test. While the object lives, a reader knows that the test is running.
class ResultFile {
 public:
  /// Notes that the test has begun. Throws std::runtime_error where `folder` cannot be written.
  ResultFile(std::filesystem::path folder, std::string test, Basis basis);
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  /// Puts the result in the place of the last one. Throws std::runtime_error where it cannot be written.
  void finish(std::string record, std::string output, int exit_code);

 private:
  std::filesystem::path folder_;
  KeptResult result_;
  spec::Descriptor marker_;  ///< locked while the test runs
};

/// The newest result of each test, and all canaries, by name of the test and time. A running test has its last one.
/// Throws std::runtime_error where a file is no result of this version. A missing folder holds none.
std::vector<KeptResult> read_results(const std::filesystem::path& folder);

/// The newest result of one test; nullopt where there is none.
std::optional<KeptResult> read_result(const std::filesystem::path& folder, const std::string& test);

/// As KeptResult::began.
std::string time_now();

}  // namespace assay::results
