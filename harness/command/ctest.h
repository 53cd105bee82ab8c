// SPDX-License-Identifier: Apache-2.0
// CTest as a child: which tests there are, and running some of them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::command {

struct ListedTest {
  int number = 0;
  std::string name;
};

/// What `ctest -N <arguments>` lists in a build folder. Throws std::runtime_error where CTest fails.
std::vector<ListedTest> list_tests(const std::filesystem::path& build, const std::vector<std::string>& arguments);

/// The labels of all tests in a build folder. Throws std::runtime_error where CTest fails.
std::vector<std::string> list_labels(const std::filesystem::path& build);

struct CTestRun {
  std::filesystem::path build;
  std::vector<int> numbers;       ///< of the tests, as list_tests() gives them
  std::string excluded_fixtures;  ///< expression: their tests run only where they are among `numbers`
  std::filesystem::path junit;    ///< to write
  int jobs = 1;
  bool verbose = false;  ///< CTest writes what failing tests print
};

/// Runs them; `on_line` gets each line of what CTest prints. Throws std::runtime_error where CTest itself fails; that tests
/// fail is no such failure.
void run_ctest(const CTestRun& run, const std::function<void(std::string_view)>& on_line);

}  // namespace assay::command
