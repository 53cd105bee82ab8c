// SPDX-License-Identifier: Apache-2.0
// A scratch folder in which compilers and other tools work on a problem's files, confined.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "assay/compile/compilation.h"
#include "assay/plan/plan.h"
#include "assay/problem/problem.h"
#include "assay/program/commands.h"
#include "assay/record/record.h"

namespace assay::program {

/// What commands find in their PATH: folders of the toolchain's programs.
std::string program_path(const plan::Toolchain& toolchain);

/// Calls tools in one scratch folder, and keeps what they say.
class Workshop {
 public:
  Workshop(const plan::Plan& plan, const std::filesystem::path& folder);

  std::filesystem::path work() const { return folder_ / "work"; }
  std::filesystem::path object(const std::string& name) const { return folder_ / (name + ".o"); }
  const std::string& said() const { return said_; }
  bool timed_out() const { return timed_out_; }
  double cpu_seconds() const { return cpu_seconds_; }
  record::Tier tier() const { return tier_; }

  void place(const std::vector<problem::TextFile>& files) const;

  /// Whether the tool ended well. `argv[0]` is a name, or a path. `more` is a file that it may read, beside its own folder.
  bool run(std::vector<std::string> argv, const std::filesystem::path& more = {});

  /// <name>.o of `sources`, as one object without groups: no linker drops a part of it for a namesake elsewhere. nvcc leaves what it made
  /// on the way, for preprocessed().
  bool compile(const BuildCommand& command, const std::vector<std::string>& sources, const std::string& name);

  /// What -E says of a source, after compile(); empty where it fails. `more` are flags; where there are none, it may lie there already.
  std::string preprocessed(const BuildCommand& command, const std::string& source, const std::vector<std::string>& more);

  /// Leaves `names` global of all that <name>.o defines. Those of `weak` give way to another definition.
  bool keep_global(const std::string& name, const std::set<std::string>& names, const std::vector<std::string>& weak = {});

  /// What the last tool said, in a line: the first error, or its last words where it has no such word.
  std::string last_error() const;

  /// What came of a solution, into its record.
  void note(compile::StoredCompilation& made) const;
  /// The same, with a verdict against it, COMPILE_TIMEOUT where a tool ran out of time. Returns no path.
  std::filesystem::path fail(compile::StoredCompilation& made, record::Verdict verdict, const std::string& detail) const;

 private:
  std::filesystem::path steps_of(const std::string& source) const;

  const plan::Plan& plan_;
  std::filesystem::path folder_;
  std::string said_;
  bool timed_out_ = false;
  double cpu_seconds_ = 0;
  record::Tier tier_ = record::Tier::none;
};

}  // namespace assay::program
