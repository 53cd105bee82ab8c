// SPDX-License-Identifier: Apache-2.0
// `assay report` as a function: read, summarise, write, judge. Start here, then junit.h -> results.h ->
// metrics.h -> summary.h -> formats.h.
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "assay/report/kept.h"

namespace assay::report {

struct ReportOptions {
  std::vector<std::filesystem::path> inputs;
  std::optional<KeptEvaluation> kept;  ///< in place of inputs
  std::vector<int> k;                  ///< empty: 1 and the largest that all problems allow
  double alpha = 1.0;
  std::vector<std::string> runs;
  std::vector<std::string> fail_under;
  std::vector<std::string> compare;
  std::string require_tier;  ///< full, reduced or none: a record of a weaker sandbox is a missed threshold; empty: any will do
  std::string by = "category";
  std::filesystem::path json, csv, html;  ///< empty: not written
  bool vacuous = false;                   ///< count problems whose test passes a solution that does nothing
  bool brief = false;                     ///< on the terminal: one screen
  bool colour = false;
};

enum ReportExit { report_fine = 0, report_below_threshold = 1, report_bad_input = 2, report_harness_error = 3 };

/// Writes the terminal's report to `out`, complaints to `err`. Returns a ReportExit; HARNESS_ERROR wins over
/// a missed threshold, because its numbers are incomplete. Throws nothing.
int run_report(const ReportOptions& options, std::ostream& out, std::ostream& err);

}  // namespace assay::report
