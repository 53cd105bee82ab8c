// SPDX-License-Identifier: Apache-2.0
// Reads the JUnit XML of `ctest --output-junit` (seen: CTest 3.25 and 4.4). Knows nothing of candidates.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {

enum class TestStatus { run, fail, notrun, disabled };

struct TestCase {
  std::string name;
  TestStatus status = TestStatus::run;
  std::string message;  ///< of <failure> or <skipped>: "Timeout", "Fixture dependency failed", ...
  std::string output;   ///< <system-out>
};

struct JUnit {
  std::string file;
  std::vector<TestCase> tests;
};

/// Throws InputError where the file cannot be read, is no well-formed XML, is no JUnit, holds no test, or
/// holds another number of tests than it announces.
JUnit read_junit(const std::filesystem::path& path);

/// As read_junit, of text already in memory; `file` is what messages call it.
JUnit parse_junit(std::string_view text, std::string file);

/// True where CTest dropped part of this output (it writes a sentence in its place).
bool is_truncated(std::string_view output);

}  // namespace assay::report
