// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "assay/report/escape.h"
#include "assay/report/formats.h"
#include "html_parts.h"

namespace assay::report {

using record::printable;

namespace {

const Column& column_named(const Summary& summary, std::string_view name) {
  return *std::find_if(summary.columns.begin(), summary.columns.end(), [&](const Column& c) { return c.name == name; });
}

std::string value_cell(const Column& column, const Estimate& estimate) {
  const bool measured = estimate.state == EstimateState::value;
  const std::string interval = spell_interval(column, estimate);
  const std::string left_out = estimate.untimed > 0 ? fmt::format("<small>{} untimed</small>", estimate.untimed) : "";
  return fmt::format("<td{}>{}{}</td>", measured ? "" : fmt::format(" class=\"none\" title=\"{}\"", html(estimate.reason)),
                     html(spell(column, estimate)), (interval.empty() ? "" : "<small>" + interval + "</small>") + left_out);
}

/// A share as a bar, its interval as a whisker over it.
std::string meter_cell(const Column& column, const Estimate& estimate) {
  if (estimate.state != EstimateState::value) return value_cell(column, estimate);
  const double low = 100 * estimate.low.value_or(estimate.value), high = 100 * estimate.high.value_or(estimate.value);
  return fmt::format(
      "<td><div class=\"meter\"><span class=\"track\"><i style=\"width:{:.1f}%\"></i>"
      "<b style=\"left:{:.1f}%;width:{:.1f}%\"></b></span><span>{}<small>{}</small></span></div></td>",
      100 * estimate.value, low, high - low, spell(column, estimate), spell_interval(column, estimate));
}

std::vector<std::string> leaderboard_columns(const Summary& summary) {
  const int low = summary.settings.k.front(), high = summary.settings.k.back();
  std::vector<std::string> result = {fmt::format("compile@{}", low)};
  if (high != low) result.push_back(fmt::format("pass@{}", high));
  result.push_back(fmt::format("speedup_{}@{}", summary.settings.alpha, low));
  result.push_back("geomean_speedup");
  result.push_back("efficiency");
  return result;
}

void write_run_row(const Summary& summary, const Group& group, const std::string& rank, std::ostream& out) {
  out << fmt::format("<tr{}><td class=\"rank\">{}</td><th>{}<small>{} tasks, {} samples</small></th>",
                     group.run == reference_run ? " class=\"apart\"" : "", rank, html(group.run), group.problems.size(), group.samples())
      << meter_cell(column_named(summary, summary.pass_column()), summary.estimate(group, summary.pass_column()));
  for (const std::string& name : leaderboard_columns(summary))
    out << value_cell(column_named(summary, name), summary.estimate(group, name));
  out << "</tr>\n";
}

void write_heatmap(const Summary& summary, By by, std::ostream& out) {
  const auto runs = shown_runs(summary);
  const Column& pass = column_named(summary, summary.pass_column());
  const Column& speed = column_named(summary, "geomean_speedup");
  std::set<std::string> values;
  for (const Group& group : summary.groups)
    if (group.by == by) values.insert(group.value);
  out << "<div class=\"scroll\"><table class=\"heatmap\"><thead><tr><th></th>";
  for (const std::string& run : runs) out << "<th>" << html(run) << "</th>";
  out << "</tr></thead><tbody>\n";
  for (const std::string& value : values) {
    out << "<tr><th>" << html(value) << "</th>";
    for (const std::string& run : runs) {
      const auto groups = summary.groups_of(run, by);
      const auto it = std::find_if(groups.begin(), groups.end(), [&](const Group* g) { return g->value == value; });
      if (it == groups.end()) {
        out << "<td class=\"none\"></td>";
        continue;
      }
      const Estimate& estimate = summary.estimate(**it, pass.name);
      const Estimate& faster = summary.estimate(**it, speed.name);
      if (estimate.state != EstimateState::value) {
        out << "<td class=\"none\" title=\"" << html(estimate.reason) << "\">" << html(spell(pass, estimate)) << "</td>";
        continue;
      }
      out << fmt::format(
          "<td class=\"heat\" style=\"--v:{:.3f}\" title=\"{} tasks, {} samples, 95 % "
          "{}\">{}<small>{}</small></td>",
          estimate.value, (*it)->problems.size(), (*it)->samples(), spell_interval(pass, estimate), spell(pass, estimate),
          faster.state == EstimateState::value ? spell(speed, faster) : "&nbsp;");
    }
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n";
}

}  // namespace

void write_html_leaderboard(const Summary& summary, std::ostream& out) {
  out << "<section><h2>Leaderboard</h2><p class=\"note\">Ranked by " << summary.pass_column() << ", then by geometric mean speedup.";
  if (const auto reference = reference_summary(summary)) {
    out << " Known-good solutions take no rank (" << html(reference->sentence) << ").";
    for (const std::string& line : reference->failures) out << "<br>" << html(shorten(printable(line), 300));
  }
  out << "</p>\n<div class=\"scroll\"><table><thead><tr><th></th><th class=\"l\">Run</th><th>" << summary.pass_column() << "</th>";
  for (const std::string& name : leaderboard_columns(summary)) out << "<th>" << html(name) << "</th>";
  out << "</tr></thead><tbody>\n";
  int rank = 0;
  for (const std::string& run : shown_runs(summary))
    write_run_row(summary, *summary.run(run), run == reference_run ? "" : std::to_string(++rank), out);
  out << "</tbody></table></div></section>\n";
}

void write_html_groups(const Summary& summary, std::ostream& out) {
  out << "<section><h2>" << summary.pass_column()
      << " by category</h2><p class=\"note\">The small figure is the geometric mean speedup of what "
         "passed.</p>\n";
  write_heatmap(summary, By::category, out);
  for (By by : {By::difficulty, By::suite, By::backend}) {
    out << "<details><summary>By " << name(by) << "</summary><div>\n";
    write_heatmap(summary, by, out);
    out << "</div></details>\n";
  }
  out << "</section>\n";
}

void write_html_metrics(const Summary& summary, std::ostream& out) {
  const auto runs = shown_runs(summary);
  out << "<section><h2>All metrics</h2><p class=\"note\">Each with its 95 % interval and its "
         "definition.</p>\n"
         "<div class=\"scroll\"><table><thead><tr><th class=\"l\">Metric</th>";
  for (const std::string& run : runs) out << "<th>" << html(run) << "</th>";
  out << "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < summary.columns.size(); ++i) {
    const Column& column = summary.columns[i];
    out << "<tr><th>" << html(column.name) << "<small>"
        << html(fmt::format(fmt::runtime(column.metric->doc), fmt::arg("k", column.setting.k), fmt::arg("x", column.setting.threshold)))
        << "</small></th>";
    for (const std::string& run : runs) out << value_cell(column, summary.run(run)->estimates[i]);
    out << "</tr>\n";
  }
  out << "</tbody></table></div></section>\n";
}

void write_html_comparisons(const Summary& summary, std::ostream& out) {
  for (const RunComparison& comparison : summary.comparisons) {
    out << fmt::format(
               "<section><h2>{} against {}</h2><p class=\"note\">Paired over the tasks that both have: "
               "difference, or "
               "ratio for geometric means, of the former to the latter.</p>\n",
               html(comparison.second), html(comparison.first))
        << "<table><thead><tr><th class=\"l\">Metric</th><th>Change</th><th>95 %</th><th>Better "
           "on</th><th>Equal</th>"
           "<th>Worse on</th></tr></thead><tbody>\n";
    for (const PairedDifference& row : comparison.rows) {
      const auto spelt = [&](double v) { return row.ratio ? fmt::format("×{:.3f}", v) : fmt::format("{:+.3f}", v); };
      out << fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", html(row.metric),
                         row.value ? spelt(*row.value) : "-", row.low ? fmt::format("[{}, {}]", spelt(*row.low), spelt(*row.high)) : "",
                         row.better, row.equal, row.worse);
    }
    out << "</tbody></table></section>\n";
  }
}

}  // namespace assay::report
