// SPDX-License-Identifier: Apache-2.0
// write_text() at the end is the table of contents.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "assay/report/escape.h"
#include "assay/report/formats.h"
#include "text_table.h"

namespace assay::report {

using record::Verdict, record::VerdictInfo, record::all_verdicts, record::printable;

namespace {

constexpr std::size_t line_width = 100;
constexpr std::size_t harness_errors_shown = 10;

std::string colour_of(std::string_view family) {
  if (family == "pass") return "32";
  if (family == "unsure") return "36";
  if (family == "compile" || family == "limit") return "33";
  if (family == "harness") return "1;35";
  return "31";
}

void heading(std::string_view text, const TextStyle& style, std::ostream& out) {
  out << '\n' << painted(std::string(text), "1", style.colour) << '\n';
}

std::string listed(const std::vector<std::string>& values, std::size_t at_most = 3) {
  if (values.empty()) return "-";
  std::vector<std::string> shown(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(at_most, values.size())));
  std::string text = printable(fmt::format("{}", fmt::join(shown, ", ")));
  if (values.size() > at_most) text += fmt::format(" and {} more", values.size() - at_most);
  return text;
}

int samples_in(const Results& results) {
  int count = 0;
  for (const Problem& problem : results.problems) count += static_cast<int>(problem.samples.size());
  return count;
}

/// Which of the kept results are not of what the build tree holds now.
template <typename Line>
void write_age(const KeptNotes& kept, Line line) {
  std::vector<std::string> stale;
  for (const StaleSample& each : kept.stale) stale.push_back(fmt::format("{} ({})", each.sample, each.changed));
  if (!stale.empty())
    line("stale", fmt::format("{} sample{} judged before a change: {}", stale.size(), stale.size() == 1 ? "" : "s", listed(stale)));
  if (!kept.gone.empty())
    line("gone", fmt::format("{} candidate{} {} no longer there, and {}: {}", kept.gone.size(), kept.gone.size() == 1 ? "" : "s",
                             kept.gone.size() == 1 ? "is" : "are", kept.gone_counted ? "counted" : "not counted", listed(kept.gone)));
}

void write_context(const Summary& summary, const TextStyle& style, std::ostream& out) {
  const Context& context = summary.context;
  const auto line = [&](std::string_view key, const std::string& value) {
    out << "  " << painted(fmt::format("{:<9}", key), "2", style.colour) << shorten(value, line_width - 11) << '\n';
  };
  out << painted("KernelAssay report", "1", style.colour) << '\n';
  const auto& kept = summary.results.kept;
  line("samples", kept ? fmt::format("{} from {} tests, judged {} to {}", samples_in(summary.results), summary.results.tests,
                                     spell_time(kept->oldest), spell_time(kept->newest))
                       : fmt::format("{} from {} tests in {} file{}", samples_in(summary.results), summary.results.tests,
                                     summary.results.files.size(), summary.results.files.size() == 1 ? "" : "s"));
  if (kept)
    for (const std::string& run : summary.ranking)
      if (const auto made = kept->generated.find(run); made != kept->generated.end()) line("run", printable(run + ": " + made->second));
  line("backends", listed(context.backends, 6));
  line("machine", listed(context.machines));
  if (!context.devices.empty()) line("device", listed(context.devices));
  if (!context.profiles.empty()) line("rules", fmt::format("of {}, for comparison", listed(context.profiles)));
  line("sandbox", listed(context.tiers));
  for (const std::string& trust : context.trusts) line("trust", printable(record::trust_text(trust)));
  if (const auto& vacuous = summary.results.vacuous; !vacuous.empty())
    line("vacuous", fmt::format("{} not counted, whose tests pass a solution that does nothing: {}", vacuous.size(), listed(vacuous)));
  if (const auto tasks = tasks_without_bench(summary.results); !tasks.empty())
    line("no bench", fmt::format("{} left out of metrics of speed: {}", tasks.size(), listed(tasks)));
  const std::string shapes = context.targets.empty() ? "" : fmt::format("shapes {}, ", listed(context.targets));
  const std::string caches = context.caches.empty() ? "" : fmt::format("caches {}, ", listed(context.caches));
  line("timing", fmt::format("effort {}, {}{}baseline {}", listed(context.efforts), shapes, caches, listed(context.baselines)));
  if (!summary.results.canaries.empty()) line("canary", printable(summary.canaries()));
  if (!style.brief) line("seeds", listed(context.seeds));
  if (!summary.results.foreign.empty())
    line("ignored", fmt::format("tests that are no candidate's: {} ({})", summary.results.foreign.size(), listed(summary.results.foreign)));
  if (kept) write_age(*kept, line);
  if (context.machines.size() > 1) line("note", "speedups were measured on several machines: compare runs with care");
  if (context.tiers.size() > 1) line("note", "samples were judged in sandboxes of different strength");
}

void write_harness_errors(const Summary& summary, const TextStyle& style, std::ostream& out) {
  const auto& errors = summary.results.harness_errors;
  if (errors.empty()) return;
  out << '\n'
      << painted(fmt::format("HARNESS_ERROR: {} sample{} or fixture{} could not be judged, through no fault "
                             "of the candidate.",
                             errors.size(), errors.size() == 1 ? "" : "s", errors.size() == 1 ? "" : "s"),
                 "1;35", style.colour)
      << "\n  They count for nothing below. Repair what they say and run ctest again.\n";
  for (std::size_t i = 0; i < std::min(errors.size(), harness_errors_shown); ++i)
    out << "  " << shorten(printable(fmt::format("{}: {}", errors[i].test, errors[i].detail)), line_width - 2) << '\n';
  if (errors.size() > harness_errors_shown)
    out << fmt::format("  and {} more: see --json or --csv\n", errors.size() - harness_errors_shown);
}

void write_doubts(const Summary& summary, const TextStyle& style, std::ostream& out) {
  const auto doubts = summary.doubts();
  if (doubts.empty()) return;
  out << '\n' << painted("The timings are not to be believed, and metrics leave them out:", "1;35", style.colour) << '\n';
  for (const std::string& doubt : doubts) out << "  " << printable(doubt) << '\n';
}

/// The columns of the short tables: what fits a line; write_metrics() has them all.
struct Short {
  std::string column;
  bool interval = false;
};

using ShortColumns = std::vector<Short>;

std::string faster_column(const Summary& summary) {
  return fmt::format("speedup_{}@{}", summary.settings.alpha, summary.settings.k.front());
}

ShortColumns short_columns(const Summary& summary) {
  const auto& k = summary.settings.k;
  ShortColumns result = {{fmt::format("compile@{}", k.front())}, {summary.pass_column(), true}};
  if (k.size() > 1) result.push_back({fmt::format("pass@{}", k.back())});
  result.push_back({faster_column(summary)});
  result.push_back({"geomean_speedup"});
  return result;
}

ShortColumns group_columns(const Summary& summary) {
  return {{summary.pass_column(), true}, {faster_column(summary)}, {"geomean_speedup", true}};
}

void add_short_header(const ShortColumns& chosen, std::vector<std::string>& header) {
  for (const Short& entry : chosen) {
    header.push_back(entry.column == "geomean_speedup" ? "geomean" : entry.column);
    if (entry.interval) header.push_back("95 %");
  }
}

void add_short_cells(const Summary& summary, const ShortColumns& chosen, const Group& group, std::vector<Cell>& row) {
  for (const Short& entry : chosen) {
    const auto it =
        std::find_if(summary.columns.begin(), summary.columns.end(), [&](const Column& column) { return column.name == entry.column; });
    const Estimate& estimate = group.estimates[static_cast<std::size_t>(it - summary.columns.begin())];
    row.push_back({spell(*it, estimate), estimate.state == EstimateState::value ? "" : "2"});
    if (entry.interval) row.push_back({spell_interval(*it, estimate), "2"});
  }
}

void write_leaderboard(const Summary& summary, const TextStyle& style, std::ostream& out) {
  if (summary.ranking.empty()) return;
  heading(fmt::format("Runs, by {} then geomean_speedup", summary.pass_column()), style, out);
  std::vector<std::string> header = {"", "run", "tasks", "n"};
  add_short_header(short_columns(summary), header);
  TextTable table(header, 2);
  int rank = 0;
  for (const std::string& run : summary.ranking) {
    const Group& group = *summary.run(run);
    std::vector<Cell> row = {
        {std::to_string(++rank), ""}, {run, "1"}, {std::to_string(group.problems.size()), ""}, {std::to_string(group.samples()), ""}};
    add_short_cells(summary, short_columns(summary), group, row);
    table.add(std::move(row));
  }
  table.write(out, style.colour);
}

void write_reference(const Summary& summary, const TextStyle& style, std::ostream& out) {
  const auto reference = reference_summary(summary);
  if (!reference) return;
  heading(reference->sentence, style, out);
  for (const std::string& line : reference->failures)
    out << "  " << painted(shorten(printable(line), line_width - 2), "31", style.colour) << '\n';
}

/// How many samples the timing metrics are of, where that is not all.
void write_timed(const Summary& summary, std::ostream& out) {
  for (const std::string& run : summary.ranking) {
    const Estimate& timed = summary.estimate(*summary.run(run), "geomean_speedup");
    if (timed.untimed > 0)
      out << fmt::format("\n  {}: timing metrics count {} of {} samples: the machine's noise, or calls too short to be timed, left {} out.",
                         run, summary.run(run)->samples() - timed.untimed, summary.run(run)->samples(), timed.untimed);
    if (timed.bounded > 0)
      out << fmt::format("\n  {}: {} sample{} whose own launches disagree count{} with the lower bound of the speedup.", run, timed.bounded,
                         timed.bounded == 1 ? "" : "s", timed.bounded == 1 ? "s" : "");
    if (timed.untimed > 0 || timed.bounded > 0) out << '\n';
  }
}

/// Why a number is missing: the first reason of each kind and run says where to look.
void write_reasons(const Summary& summary, std::ostream& out) {
  std::set<std::pair<std::string, EstimateState>> told;
  for (const std::string& run : summary.ranking)
    for (const Estimate& estimate : summary.run(run)->estimates) {
      const bool explained =
          estimate.state == EstimateState::refused || estimate.state == EstimateState::not_run || estimate.state == EstimateState::untimed;
      if (!explained || !told.emplace(run, estimate.state).second) continue;
      if (told.size() == 1) out << '\n';
      out << "  " << shorten(printable(fmt::format("{}: {}", run, estimate.reason)), line_width - 2) << '\n';
    }
}

/// Rows by runs, as many runs to a table as fit; `cell` gives the text for row and run.
template <typename Rows, typename CellOf>
void write_by_run(const Rows& rows, const std::vector<std::string>& runs, std::size_t column_width, const TextStyle& style,
                  std::ostream& out, CellOf cell) {
  const std::size_t per_page = std::max<std::size_t>(1, (line_width - 24) / (column_width + 2));
  for (std::size_t begin = 0; begin < runs.size(); begin += per_page) {
    const std::size_t end = std::min(runs.size(), begin + per_page);
    std::vector<std::string> header = {""};
    for (std::size_t i = begin; i < end; ++i) header.push_back(shorten(runs[i], column_width));
    TextTable table(header, 1);
    for (const auto& row : rows) {
      std::vector<Cell> cells;
      for (std::size_t i = begin; i < end; ++i) cell(row, runs[i], cells);
      if (!cells.empty()) table.add(std::move(cells));
    }
    if (begin > 0) out << '\n';
    table.write(out, style.colour);
  }
}

void write_metrics(const Summary& summary, const TextStyle& style, std::ostream& out) {
  if (summary.ranking.empty()) return;
  heading("All metrics, with 95 % intervals", style, out);
  std::vector<std::size_t> rows(summary.columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  write_by_run(rows, summary.ranking, 21, style, out, [&](std::size_t i, const std::string& run, std::vector<Cell>& cells) {
    if (cells.empty()) cells.push_back({summary.columns[i].name, ""});
    const Estimate& estimate = summary.run(run)->estimates[i];
    const std::string interval = spell_interval(summary.columns[i], estimate);
    cells.push_back({spell(summary.columns[i], estimate) + (interval.empty() ? "" : " " + interval),
                     estimate.state == EstimateState::value ? "" : "2"});
  });
  out << painted(
      "  Intervals: shares (%) for another draw of samples on this suite (Wilson, continuity-corrected);\n"
      "  speedups (x) and efficiency for other tasks like these (Student's t over tasks).\n",
      "2", style.colour);
}

void write_groups(const Summary& summary, const TextStyle& style, std::ostream& out) {
  for (const std::string& run : summary.ranking) {
    heading(fmt::format("{} by {}", run, name(style.by)), style, out);
    std::vector<std::string> header = {std::string(name(style.by)), "tasks", "n"};
    add_short_header(group_columns(summary), header);
    TextTable table(header, 1);
    for (const Group* group : summary.groups_of(run, style.by)) {
      std::vector<Cell> row = {
          {printable(group->value), ""}, {std::to_string(group->problems.size()), ""}, {std::to_string(group->samples()), ""}};
      add_short_cells(summary, group_columns(summary), *group, row);
      table.add(std::move(row));
    }
    table.write(out, style.colour);
  }
}

std::vector<VerdictInfo> verdict_rows() {
  std::vector<VerdictInfo> rows(all_verdicts.begin(), all_verdicts.end());
  rows.push_back({Verdict::harness_error, "NOT_RUN", "unsure", "", ""});
  return rows;
}

void write_verdicts(const Summary& summary, const TextStyle& style, std::ostream& out) {
  heading("Verdicts, in samples", style, out);
  std::vector<std::string> runs = summary.ranking;
  if (summary.run(reference_run)) runs.emplace_back(reference_run);
  const auto count = [&](const VerdictInfo& row, const std::string& run) {
    const auto& verdicts = summary.run(run)->verdicts;
    const auto it = verdicts.find(std::string(row.name));
    return it == verdicts.end() ? 0 : it->second;
  };
  std::vector<VerdictInfo> rows = verdict_rows();
  std::erase_if(rows, [&](const VerdictInfo& row) {
    return std::none_of(runs.begin(), runs.end(), [&](const std::string& run) { return count(row, run) > 0; });
  });
  write_by_run(rows, runs, 12, style, out, [&](const VerdictInfo& row, const std::string& run, std::vector<Cell>& cells) {
    const std::string colour = colour_of(row.family);
    if (cells.empty()) cells.push_back({std::string(row.name), colour});
    const int n = count(row, run);
    cells.push_back({n == 0 ? "." : std::to_string(n), n == 0 ? "2" : colour});
  });
}

void write_comparison(const RunComparison& comparison, const TextStyle& style, std::ostream& out) {
  heading(fmt::format("{} against {}: paired differences over shared tasks", comparison.second, comparison.first), style, out);
  TextTable table({"metric", "", "change", "95 %", "tasks", "better", "equal", "worse"}, 2);
  for (const PairedDifference& row : comparison.rows) {
    const auto spelt = [&](double value) { return row.ratio ? fmt::format("{:.3f}", value) : fmt::format("{:+.3f}", value); };
    table.add({{row.metric, ""},
               {row.ratio ? "ratio" : "difference", "2"},
               {row.value ? spelt(*row.value) : "-", ""},
               {row.low ? fmt::format("[{}, {}]", spelt(*row.low), spelt(*row.high)) : "", "2"},
               {std::to_string(row.problems), ""},
               {std::to_string(row.better), "32"},
               {std::to_string(row.equal), ""},
               {std::to_string(row.worse), "31"}});
  }
  table.write(out, style.colour);
}

void write_thresholds(const Summary& summary, const TextStyle& style, std::ostream& out) {
  if (summary.thresholds.empty()) return;
  heading("Thresholds", style, out);
  for (const ThresholdResult& t : summary.thresholds)
    out << "  "
        << painted(shorten(printable(fmt::format("{} {}: {} is {}, wanted at least {}",
                                                 t.met       ? "met   "
                                                 : t.untimed ? "untold"
                                                             : "missed",
                                                 t.run, t.metric, t.got, t.limit)),
                           line_width - 2),
                   t.met ? "32" : "31", style.colour)
        << '\n';
}

}  // namespace

void write_text(const Summary& summary, const TextStyle& style, std::ostream& out) {
  write_context(summary, style, out);
  write_harness_errors(summary, style, out);
  write_doubts(summary, style, out);
  write_leaderboard(summary, style, out);
  write_timed(summary, out);
  write_reasons(summary, out);
  write_reference(summary, style, out);
  if (!style.brief) write_metrics(summary, style, out);
  if (!style.brief && style.by != By::run) write_groups(summary, style, out);
  write_verdicts(summary, style, out);
  for (const RunComparison& comparison : summary.comparisons) write_comparison(comparison, style, out);
  write_thresholds(summary, style, out);
}

}  // namespace assay::report
