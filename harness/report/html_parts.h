// SPDX-License-Identifier: Apache-2.0
// The parts of the page, in the order in which they appear. Each escapes what it quotes.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "assay/report/summary.h"

namespace assay::report {

/// Ranked runs, then `reference` where there is one.
std::vector<std::string> shown_runs(const Summary& summary);

void write_html_leaderboard(const Summary& summary, std::ostream& out);
void write_html_groups(const Summary& summary, std::ostream& out);
void write_html_verdicts(const Summary& summary, std::ostream& out);
void write_html_matrix(const Summary& summary, std::ostream& out);
void write_html_speedups(const Summary& summary, std::ostream& out);
void write_html_metrics(const Summary& summary, std::ostream& out);
void write_html_comparisons(const Summary& summary, std::ostream& out);

}  // namespace assay::report
