// SPDX-License-Identifier: Apache-2.0
// A problem that brings its own tests: files that a candidate sees, a program of tests that it does not, and the commands that
// build and run them. A program task of ours is one, and so is a line of a ComputeEval pack.
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay::problem {

/// The text is no problem; what() says where, what is expected and what was found. The text is somebody else's: escape it.
class ProblemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct TextFile {
  std::string path;  ///< relative, without "." and ".."
  std::string text;

  bool operator==(const TextFile&) const = default;
};

/// Identifiers that a solution must name. Absent and empty differ in a record, and demand the same.
struct SourceReferences {
  std::optional<std::vector<std::string>> any, all;

  bool operator==(const SourceReferences&) const = default;
};

/// What of a benchmark is timed, as a pack says it. `region`: ranges that the program marks through NVTX, of which the globs choose; all
/// other types are the format's, and mean clocks inside of the program.
struct TimingMode {
  std::string type = "process";
  std::vector<std::string> include, exclude;  ///< globs of names; none included: all

  bool is_region() const { return type == "region"; }
  bool operator==(const TimingMode&) const = default;
};

struct Problem {
  std::string id;    ///< task_id: free text, unique in a pack
  std::string type;  ///< cuda_cpp or cuda_python
  std::string date, prompt;
  std::string difficulty;  ///< of the metadata: "easy", "medium", ...; empty where it has none
  std::vector<std::string> tags, releases;
  std::string group;
  std::vector<TextFile> context, test, solution;
  std::optional<SourceReferences> references;
  std::optional<std::string> build_command, benchmark_command;
  std::string test_command;
  TimingMode timing;
  std::optional<std::string> min_toolkit, compute_capability;
  bool needs_datacenter_gpu = false;
  std::optional<std::chrono::duration<double>> timeout;

  /// How long a command of it may take where it says nothing itself.
  static constexpr std::chrono::seconds default_timeout{60};
  std::chrono::duration<double> seconds() const { return timeout.value_or(default_timeout); }
  /// The same of its benchmark.
  static constexpr std::chrono::seconds default_benchmark_timeout{300};
  std::chrono::duration<double> benchmark_seconds() const { return timeout.value_or(default_benchmark_timeout); }
};

/// A line of problems.jsonl, checked: types, paths, what is required. `where` begins messages.
Problem read_record(const nlohmann::ordered_json& record, std::string_view where);

/// The record with every field of the format, in its order, and nothing else: what a pack's line is the dump of.
nlohmann::ordered_json complete_record(const nlohmann::ordered_json& record);

/// Reads text of somebody else's as JSON: an object, of a depth and size that hurt nobody. Throws ProblemError.
nlohmann::ordered_json parse_json(std::string_view text, std::string_view where);

/// Throws ProblemError unless `path` names a file below any folder: relative, no "." or "..", printable ASCII without the characters
/// that shells and CMake read otherwise.
void require_plain_path(std::string_view path, std::string_view where);

/// The difficulty of a task, 1 to 5, that the words of a problem mean; 3 for those that nobody knows.
int difficulty_of(std::string_view words);

/// Of a solution that is one file: that of the reference's first source; of its first file where it has none. Empty without a reference.
std::string solution_suffix(const Problem& problem);

/// What a model is asked: the problem's own words, what it sees, how it is built, how to answer. Nothing of test and reference.
std::string prompt_for(const Problem& problem);

/// [a-z][a-z0-9_]*, of any text: "CUDA/12" is cuda_12.
std::string task_name_of(std::string_view id);
std::string category_of(std::string_view group);

}  // namespace assay::problem
