// SPDX-License-Identifier: Apache-2.0
// What CMake tells the judge: one plan per task and backend, and which candidate is meant.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay {
class ResultFile;
}

namespace assay::trial {

struct Plan {
  std::string task, category, backend, suffix;
  int difficulty = 1;
  std::vector<std::string> suites;
  std::filesystem::path task_yaml;
  std::filesystem::path cases;                  ///< drawn inputs and oracle results, written by the fixture
  std::filesystem::path machine;                ///< measured peaks, written by the fixture
  std::vector<std::filesystem::path> context;   ///< folders with what a candidate may include
  std::filesystem::path stub;                   ///< empty where device code is launched: see launches
  std::vector<std::string> compile;             ///< compiler and flags that make a shared library, or a device's binary
  bool launches = false;                        ///< candidates are device code with a launch block; `box` is their program
  std::vector<std::filesystem::path> readable;  ///< the toolchain: all that the compiler needs
  std::vector<std::string> devices;             ///< patterns of a driver's device files
  std::vector<std::string> environment;         ///< names of variables that compiler and box get as this process has them
  std::filesystem::path box, baseline;
  std::vector<std::filesystem::path> libraries;  ///< that a candidate may be linked with, as its box sees them
  std::filesystem::path escape;                  ///< the program that tries the sandbox
  std::filesystem::path sandbox;                 ///< what it found on this machine
  std::string require_tier;                      ///< a weaker sandbox is a HARNESS_ERROR; empty: any will do
  std::string effort = "quick";
  std::string shapes = "cpu";                           ///< which of the task's timing shapes
  std::string cache = "warm";                           ///< state of the data before a timed call: warm or cold
  std::chrono::seconds time_limit{10};                  ///< of one call of a candidate; twice that while it is timed
  std::uint64_t memory_limit = std::uint64_t{5} << 29;  ///< bytes of address space that a candidate may have beside its buffers
  std::string profile;                                  ///< another system's rules (profile.h); empty: this project's
};

/// Throws std::runtime_error naming the file and the key.
Plan load_plan(const std::filesystem::path& file);
/// The same of text that is in memory already; `file` is what messages call it.
Plan parse_plan(std::string_view text, const std::filesystem::path& file);

struct Candidate {
  std::string run;
  int sample = 0;
  std::filesystem::path source;  ///< a file, or a folder of several; empty after compilation
  std::filesystem::path prefix;  ///< of what is built: <prefix>.so, <prefix>.compile.json
  ResultFile* result = nullptr;  ///< keeps what the stage finds; null: nothing does

  std::filesystem::path library() const { return prefix.string() + ".so"; }
  std::filesystem::path cache() const { return prefix.string() + ".cache"; }        ///< of the device's compiler
  std::filesystem::path output() const { return prefix.string() + ".output.txt"; }  ///< what it printed in stage test
  std::filesystem::path compile_record() const { return prefix.string() + ".compile.json"; }
  std::filesystem::path compile_failure() const { return prefix.string() + ".compile.failed"; }  ///< why there is no record
};

}  // namespace assay::trial
