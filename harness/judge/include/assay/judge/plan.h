// SPDX-License-Identifier: Apache-2.0
// What CMake tells the judge: one plan per task and backend, and which candidate is meant.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

struct Plan {
  std::string task, category, backend, suffix;
  int difficulty = 1;
  std::vector<std::string> suites;
  std::filesystem::path task_yaml;
  std::filesystem::path cases;    ///< drawn inputs and oracle results, written by the fixture
  std::filesystem::path machine;  ///< measured peaks, written by the fixture
  std::vector<std::filesystem::path> context;   ///< folders with what a candidate may include
  std::filesystem::path stub;
  std::vector<std::string> compile;             ///< compiler and flags that make a shared library
  std::vector<std::filesystem::path> readable;  ///< toolchain folders beyond the system's
  std::filesystem::path box, baseline;
  std::string effort = "quick";
  std::string cache = "warm";  ///< state of the data before a timed call: warm or cold
  std::string profile;  ///< another system's rules (profile.h); empty: this project's
};

/// Throws std::runtime_error naming the file and the key.
Plan load_plan(const std::filesystem::path& file);

struct Candidate {
  std::string run;
  int sample = 0;
  std::filesystem::path source;  ///< a file, or a folder of several; empty after compilation
  std::filesystem::path prefix;  ///< of what is built: <prefix>.so, <prefix>.compile.json

  std::filesystem::path library() const { return prefix.string() + ".so"; }
  std::filesystem::path compile_record() const { return prefix.string() + ".compile.json"; }
};

}  // namespace assay
