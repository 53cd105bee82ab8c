// SPDX-License-Identifier: Apache-2.0
// What a person sees while CTest runs: one line of progress, and one for each candidate that fails.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "assay/record/test_name.h"
#include "assay/record/verdict.h"
#include "assay/results/kept_result.h"

namespace assay::report {

/// A line of CTest's: " 12/803 Test  #34: m.relu.cpp.000.test ....   Passed    0.02 sec".
struct EndedTest {
  std::string name;
  int ended = 0, all = 0;  ///< tests
  bool ran = false, passed = false;
  double seconds = 0;
};

/// nullopt for every other line.
std::optional<EndedTest> parse_ctest_line(std::string_view line);

struct ProgressStyle {
  bool rewrites = false;  ///< a terminal, where the line is written anew in its place
  std::size_t columns = 160;
  double pause = 30;  ///< seconds between two lines where it is not
};

class Progress {
 public:
  /// `tests` are the candidates' that will run; the stage `bench` runs one test at a time, the others `jobs`.
  Progress(std::string title, const std::vector<std::string>& tests, int jobs, ProgressStyle style, std::ostream& out);

  /// `result` is what the test has left now, nullptr where that is nothing; `now` are seconds since the start.
  void add(const EndedTest& test, const results::KeptResult* result, double now);
  /// The last line, with the time that all took.
  void finish(double now);

  int harness_errors() const;

 private:
  /// Kinds of tests: the three stages, and our own fixtures.
  static constexpr std::size_t bench_kind = static_cast<std::size_t>(record::Stage::bench), fixture_kind = 3, kinds = 4;

  void judge(const record::TestName& name, const EndedTest& test, const results::KeptResult* result);
  void fail(const std::string& name, record::Verdict verdict, std::string_view detail);
  void show(double now);
  std::string line(double now) const;
  std::string verdicts() const;
  double seconds_left() const;

  std::string title_;
  int jobs_;
  ProgressStyle style_;
  std::ostream& out_;
  std::size_t name_width_ = 0;
  std::map<std::string, record::Stage> last_stage_;  ///< that runs, by sample; no later than one that failed
  std::array<int, kinds> planned_{}, ended_{}, timed_{};
  std::array<double, kinds> seconds_{};
  std::map<record::Verdict, int> counts_;
  int all_ = 0, done_ = 0;
  int candidates_ = 0;  ///< tests of candidates
  double shown_ = 0;
};

/// "12 s", "3 min 05 s".
std::string spell_duration(double seconds);

}  // namespace assay::report
