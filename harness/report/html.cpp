// SPDX-License-Identifier: Apache-2.0
// The page as a whole. It holds no script, and its content security policy forbids any: text of a candidate
// that slipped through the escaping would still not run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "assay/report/escape.h"
#include "assay/report/formats.h"
#include "html_parts.h"
#include "style.h"

namespace assay::report {

using record::printable;

namespace {

std::string html_list(const std::vector<std::string>& values, std::size_t at_most = 4) {
  if (values.empty()) return "–";
  std::vector<std::string> shown(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(at_most, values.size())));
  std::string text = html(fmt::format("{}", fmt::join(shown, ", ")));
  if (values.size() > at_most) text += fmt::format(" and {} more", values.size() - at_most);
  return text;
}

void write_context(const Summary& summary, std::ostream& out) {
  const Context& context = summary.context;
  const auto entry = [&](const char* key, const std::string& value) {
    out << "<div><dt>" << key << "</dt><dd>" << value << "</dd></div>\n";
  };
  std::size_t samples = 0;
  for (const Problem& problem : summary.results.problems) samples += problem.samples.size();
  out << "<dl class=\"context\">\n";
  entry("Samples", fmt::format("{} from {} tests", samples, summary.results.tests));
  entry("Backends", html_list(context.backends, 8));
  entry("Machine", html_list(context.machines));
  if (!context.devices.empty()) entry("Device", html_list(context.devices));
  if (!context.profiles.empty()) entry("Rules", fmt::format("of {}, for comparison", html_list(context.profiles)));
  entry("Sandbox", html_list(context.tiers));
  for (const std::string& trust : context.trusts) entry("Trust", html(record::trust_text(trust)));
  if (!summary.results.vacuous.empty()) entry("Vacuous, not counted", html_list(summary.results.vacuous));
  if (const auto tasks = tasks_without_bench(summary.results); !tasks.empty())
    entry("No stage bench, left out of metrics of speed", html_list(tasks));
  entry("Timing effort", html_list(context.efforts));
  if (!context.targets.empty()) entry("Timing shapes", html_list(context.targets));
  if (!context.caches.empty()) entry("Caches", html_list(context.caches));
  entry("Baseline", html_list(context.baselines));
  if (!summary.results.canaries.empty()) entry("Timing canary", html(summary.canaries()));
  entry("Seeds", html_list(context.seeds));
  if (const auto& kept = summary.results.kept) {
    for (const std::string& run : summary.ranking)
      if (const auto made = kept->generated.find(run); made != kept->generated.end()) entry("Run", html(run + ": " + made->second));
    entry("Judged", html(fmt::format("{} to {}", spell_time(kept->oldest), spell_time(kept->newest))));
    std::vector<std::string> stale;
    for (const StaleSample& each : kept->stale) stale.push_back(fmt::format("{} ({})", each.sample, each.changed));
    if (!stale.empty()) entry("Judged before a change", html_list(stale));
    if (!kept->gone.empty()) entry(kept->gone_counted ? "Gone, and counted" : "Gone, and not counted", html_list(kept->gone));
  } else {
    entry("JUnit", html_list(summary.results.files));
  }
  if (!summary.results.foreign.empty()) entry("Ignored", fmt::format("tests of others: {}", summary.results.foreign.size()));
  out << "</dl>\n";
}

void write_harness_errors(const Summary& summary, std::ostream& out) {
  const auto& errors = summary.results.harness_errors;
  if (errors.empty()) return;
  out << fmt::format("<section class=\"alarm\"><h2>HARNESS_ERROR: {} not judged</h2>\n", errors.size())
      << "<p class=\"note\">Through no fault of the candidate. These count neither for nor against anybody: "
         "repair what they "
         "say and run ctest again.</p><ul>\n";
  for (const HarnessError& error : errors)
    out << "<li><code>" << html(error.test) << "</code> " << html(shorten(printable(error.detail), 400)) << "</li>\n";
  out << "</ul></section>\n";
}

void write_doubts(const Summary& summary, std::ostream& out) {
  const auto doubts = summary.doubts();
  if (doubts.empty()) return;
  out << "<section class=\"alarm\"><h2>The timings are not to be believed</h2>\n"
         "<p class=\"note\">They count as INCONCLUSIVE: no speedup is claimed.</p><ul>\n";
  for (const std::string& doubt : doubts) out << "<li>" << html(doubt) << "</li>\n";
  out << "</ul></section>\n";
}

void write_thresholds(const Summary& summary, std::ostream& out) {
  if (summary.thresholds.empty()) return;
  out << "<section><h2>Thresholds</h2><table><thead><tr><th class=\"l\">Run</th><th "
         "class=\"l\">Metric</th><th>Wanted</th>"
         "<th>Got</th><th></th></tr></thead><tbody>\n";
  for (const ThresholdResult& t : summary.thresholds)
    out << fmt::format("<tr><th>{}</th><td class=\"l\">{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", html(t.run), html(t.metric),
                       t.limit, html(t.got), t.met ? "met" : "missed");
  out << "</tbody></table></section>\n";
}

}  // namespace

std::vector<std::string> shown_runs(const Summary& summary) {
  std::vector<std::string> runs = summary.ranking;
  if (summary.run(reference_run)) runs.emplace_back(reference_run);
  return runs;
}

void write_html(const Summary& summary, std::ostream& out) {
  out << "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<title>KernelAssay report</title>\n<style>\n"
      << report_css
      << "</style></head>\n<body><main>\n<header><div class=\"brand\">KernelAssay</div><h1>Kernel evaluation "
         "report</h1></header>\n";
  write_context(summary, out);
  write_harness_errors(summary, out);
  write_doubts(summary, out);
  write_html_leaderboard(summary, out);
  write_thresholds(summary, out);
  write_html_groups(summary, out);
  write_html_verdicts(summary, out);
  write_html_matrix(summary, out);
  write_html_speedups(summary, out);
  write_html_comparisons(summary, out);
  write_html_metrics(summary, out);
  out << "<footer>Intervals are 95 %. Shares: for another draw of samples on this suite (Wilson, on the wide "
         "side). Speedups and "
         "efficiency: for other tasks like these (Student's t over tasks). HARNESS_ERROR counts for "
         "nothing.</footer>\n"
         "</main></body></html>\n";
}

}  // namespace assay::report
