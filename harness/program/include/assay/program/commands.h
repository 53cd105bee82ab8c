// SPDX-License-Identifier: Apache-2.0
// A problem's commands, taken apart: what is compiled of whom, and how the program is called. They are lines for a shell, and one
// compiler call and one program call in nearly all problems.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/problem/problem.h"

namespace assay::program {

/// The words of a line that needs no shell: quotes and backslashes are taken off, patterns stay. nullopt where it has operators,
/// variables or substitutions.
std::optional<std::vector<std::string>> split_words(std::string_view line);

/// A compiler call that makes a program of sources, some of the test's and some of the solution's.
struct BuildCommand {
  std::string compiler;                    ///< "g++", "nvcc"
  std::vector<std::string> compile_flags;  ///< of each source
  std::vector<std::string> link_flags;     ///< before the objects
  std::vector<std::string> libraries;      ///< behind them
  std::vector<std::string> test_sources;   ///< of test and context
  std::vector<std::string> candidate_sources;
  std::string program;  ///< what it makes: "test.out"

  bool is_nvcc() const { return compiler == "nvcc"; }
};

struct Commands {
  BuildCommand build;
  std::vector<std::string> test;       ///< arguments of the program
  std::vector<std::string> benchmark;  ///< the same; empty where the problem has none that calls the same program
  bool has_benchmark = false;
};

/// A problem that cannot be judged apart from its shell: what() says why.
class NotSeparable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws NotSeparable.
Commands commands_of(const problem::Problem& problem);

}  // namespace assay::program
