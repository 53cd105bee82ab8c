// SPDX-License-Identifier: Apache-2.0
// Every sample as a square: what happened at a glance, why on pointing at it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "assay/report/escape.h"
#include "assay/report/formats.h"
#include "html_parts.h"

namespace assay::report {

using record::Record, record::ShapeTiming, record::Stage, record::Verdict, record::VerdictInfo, record::all_verdicts, record::printable;

namespace {

constexpr VerdictInfo not_run = {Verdict::inconclusive, "NOT_RUN", "notrun", "", "compiled at most"};

const VerdictInfo& shown(const Sample& sample) {
  const auto verdict = sample.verdict();
  return verdict ? info(*verdict) : not_run;
}

std::string tooltip(const Sample& sample) {
  // Escaped piece by piece: only our own newlines may remain.
  std::string tip = fmt::format("{}&#10;{}", html(sample.name.text()), shown(sample).name);
  const StageResult* deciding = sample.deciding();
  if (deciding && !deciding->detail.empty()) tip += "&#10;" + html(shorten(printable(deciding->detail), 500));
  if (const Record* bench = sample.record(Stage::bench)) {
    if (bench->speedup)
      tip += fmt::format("&#10;speedup {:.3g}x, 95 % [{:.3g}, {:.3g}] over {}", bench->speedup->estimate, bench->speedup->low,
                         bench->speedup->high, html(bench->baseline));
    if (bench->shapes.size() > 1)
      for (const ShapeTiming& shape : bench->shapes) tip += "&#10;" + html(spell(shape));
    if (bench->time_ns) tip += fmt::format("&#10;{:.4g} µs", *bench->time_ns / 1000);
    if (bench->efficiency) tip += fmt::format(", efficiency {:.1f}%", 100 * *bench->efficiency);
  }
  if (const Record* test = sample.record(Stage::test); test && test->cases)
    tip += fmt::format("&#10;{} of {} cases", test->cases->passed, test->cases->planned);
  return tip;
}

void write_square(const Sample& sample, std::ostream& out) {
  const VerdictInfo& verdict = shown(sample);
  out << "<span class=\"s " << verdict.family << "\" role=\"img\" aria-label=\"" << tooltip(sample) << "\">" << verdict.glyph << "</span>";
}

using ByRun = std::map<std::string, const Problem*>;

void write_task_row(const std::string& label, const std::vector<std::string>& runs, const ByRun& problems, std::ostream& out) {
  out << "<tr><th>" << html(label) << "</th>";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    // Tooltips of the right half open to the left, or they would leave the page.
    out << "<td><div class=\"cells" << (2 * i >= runs.size() && i > 0 ? " r" : "") << "\">";
    if (const auto it = problems.find(runs[i]); it != problems.end())
      for (const Sample& sample : it->second->samples) write_square(sample, out);
    out << "</div></td>";
  }
  out << "</tr>\n";
}

void write_legend(const Summary& summary, std::ostream& out) {
  std::set<std::string_view> used;
  for (const Problem& problem : summary.results.problems)
    for (const Sample& sample : problem.samples) used.insert(shown(sample).name);
  const auto entry = [&](const VerdictInfo& verdict) {
    if (used.count(verdict.name))
      out << "<li><span class=\"s " << verdict.family << "\">" << verdict.glyph << "</span>" << verdict.name << ": "
          << html(verdict.meaning) << "</li>\n";
  };
  out << "<ul class=\"legend\">\n";
  for (const VerdictInfo& verdict : all_verdicts) entry(verdict);
  entry(not_run);
  out << "</ul>\n";
}

void write_stack(const Group& group, std::ostream& out) {
  out << "<div class=\"stack\">";
  const auto piece = [&](const VerdictInfo& verdict) {
    const auto it = group.verdicts.find(std::string(verdict.name));
    if (it != group.verdicts.end())
      out << fmt::format("<i class=\"{}\" style=\"flex:{}\" title=\"{} {}\"></i>", verdict.family, it->second, it->second, verdict.name);
  };
  for (const VerdictInfo& verdict : all_verdicts) piece(verdict);
  piece(not_run);
  out << "</div>";
}

std::vector<std::pair<int, std::string>> most_frequent(const Group& group) {
  std::vector<std::pair<int, std::string>> counts;
  for (const auto& [verdict, count] : group.verdicts) counts.emplace_back(count, verdict);
  std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return counts;
}

}  // namespace

void write_html_verdicts(const Summary& summary, std::ostream& out) {
  out << "<section><h2>Verdicts</h2><p class=\"note\">How the samples of each run "
         "ended.</p>\n<table><tbody>\n";
  for (const std::string& run : shown_runs(summary)) {
    const Group& group = *summary.run(run);
    out << "<tr><th style=\"width:1%;white-space:nowrap\">" << html(run) << "</th><td>";
    write_stack(group, out);
    out << "<small style=\"text-align:left;white-space:normal\">";
    const char* comma = "";
    for (const auto& [count, verdict] : most_frequent(group)) out << std::exchange(comma, ", ") << count << ' ' << verdict;
    out << "</small></td></tr>\n";
  }
  out << "</tbody></table></section>\n";
}

void write_html_matrix(const Summary& summary, std::ostream& out) {
  const auto runs = shown_runs(summary);
  std::map<std::string, std::map<std::string, ByRun>> categories;
  for (const Problem& problem : summary.results.problems) categories[problem.category][problem.text()][problem.run] = &problem;
  out << "<section><h2>Samples</h2><p class=\"note\">One square per sample; point at it for the reason and "
         "the speedup.</p>\n"
         "<table class=\"matrix\"><thead><tr><th class=\"l\">Task</th>";
  for (const std::string& run : runs) out << "<th class=\"l\">" << html(run) << "</th>";
  out << "</tr></thead><tbody>\n";
  for (const auto& [category, tasks] : categories) {
    out << fmt::format("<tr class=\"category\"><th colspan=\"{}\">{}</th></tr>\n", runs.size() + 1, html(category));
    for (const auto& [task, problems] : tasks) write_task_row(task, runs, problems, out);
  }
  out << "</tbody></table>\n";
  write_legend(summary, out);
  out << "</section>\n";
}

}  // namespace assay::report
