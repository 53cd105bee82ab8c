// SPDX-License-Identifier: Apache-2.0
// Test names are the contract between CTest's JUnit and every reader of it:
// <run>.<task>.<backend>.<NNN>.<stage>.
#pragma once

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace assay::record {

enum class Stage { compile, test, bench };

inline constexpr std::array all_stages = {Stage::compile, Stage::test, Stage::bench};

std::string_view name(Stage stage);
std::optional<Stage> stage_named(std::string_view name);

/// One candidate: sample `index` of `run` for `task` on `backend`.
struct SampleName {
  std::string run;
  std::string task;
  std::string backend;
  int index = 0;

  auto operator<=>(const SampleName&) const = default;
  std::string text() const;  ///< "run.task.backend.007"
};

struct TestName {
  SampleName sample;
  Stage stage = Stage::compile;

  std::string text() const;  ///< "run.task.backend.007.test"
};

/// nullopt where `text` is not a candidate's test. run [a-z0-9][a-z0-9-]*, task and backend [a-z][a-z0-9_]*,
/// NNN exactly three digits.
std::optional<TestName> parse_test_name(std::string_view text);

/// The number of a sample as a person writes it: one to three digits, decimal whatever they begin with.
std::optional<int> parse_sample_number(std::string_view text);

/// True for `assay.machine`, `assay.<task>.cases`: setup of ours that candidates depend on.
bool is_own_fixture(std::string_view text);

}  // namespace assay::record
