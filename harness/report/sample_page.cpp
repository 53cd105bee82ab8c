// SPDX-License-Identifier: Apache-2.0
// write_sample() at the end is the table of contents.
#include "assay/report/sample_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "assay/report/escape.h"
#include "assay/report/formats.h"

namespace assay::report {

namespace {

void entry(std::ostream& out, std::string_view key, const std::string& value) {
  if (!value.empty()) out << fmt::format("  {:<9}{}\n", key, record::printable(value));
}

std::string spell_time_of_call(double nanoseconds) {
  if (nanoseconds >= 1e6) return fmt::format("{:.3g} ms", nanoseconds * 1e-6);
  return nanoseconds >= 1e3 ? fmt::format("{:.3g} us", nanoseconds * 1e-3) : fmt::format("{:.3g} ns", nanoseconds);
}

std::string spell(const record::Speedup& speedup) {
  return fmt::format("{:.3g}x [{:.3g}, {:.3g}]", speedup.estimate, speedup.low, speedup.high);
}

std::string verdict_on(const Sample& sample, record::Stage stage) {
  const StageResult* result = sample.stage(stage);
  if (result && result->verdict) return std::string(record::name(*result->verdict));
  return stage == record::Stage::bench && sample.has_no_bench() ? "none: the problem has no such stage" : "not run";
}

void write_stages(const Sample& sample, std::ostream& out) {
  out << "\nStages\n";
  for (const record::Stage stage : record::all_stages) {
    const StageResult* result = sample.stage(stage);
    const std::string verdict = verdict_on(sample, stage);
    out << fmt::format("  {:<9}{}", record::name(stage), verdict);
    if (result && !result->detail.empty())
      out << fmt::format("{:<{}}{}", "", 17 - std::min<std::size_t>(verdict.size(), 15), record::printable(result->detail));
    out << '\n';
    const record::Record* record = sample.record(stage);
    if (!record) continue;
    if (!record->trust.empty()) out << fmt::format("  {:<9}trust {}\n", "", record::printable(record::trust_text(record->trust)));
    if (record->vacuous) out << fmt::format("  {:<9}vacuous: the test passes a solution that does nothing\n", "");
    if (record->compile_ms) out << fmt::format("  {:<9}{:.0f} ms of the compiler\n", "", *record->compile_ms);
    if (record->cases) out << fmt::format("  {:<9}{} of {} cases passed\n", "", record->cases->passed, record->cases->planned);
    if (record->errors && record->errors->scaled && record->errors->bound)
      out << fmt::format("  {:<9}largest error {:.3g} of {:.3g} allowed, at {}\n", "", *record->errors->scaled, *record->errors->bound,
                         record::printable(record->errors->where));
  }
}

void write_timing(const Sample& sample, std::ostream& out) {
  const record::Record* bench = sample.record(record::Stage::bench);
  if (!bench || !bench->time_ns || !bench->baseline_ns || !bench->speedup) return;
  out << "\nTiming, with 95 % intervals\n";
  out << fmt::format("  a call takes {}, the baseline {}: {}\n", spell_time_of_call(*bench->time_ns),
                     spell_time_of_call(*bench->baseline_ns), spell(*bench->speedup));
  for (const record::ShapeTiming& shape : bench->shapes) out << "  " << record::printable(report::spell(shape)) << '\n';
}

/// What ends the page's first half: how to see it again.
void write_repro(const SamplePage& page, std::ostream& out) {
  const StageResult* deciding = page.sample.deciding();
  std::string stage = "bench", seed;
  for (const record::Stage each : record::all_stages)
    if (page.sample.stage(each) == deciding && deciding) stage = record::name(each);
  if (const record::Record* test = page.sample.record(record::Stage::test); test && stage == "test" && !test->seed.empty())
    seed = fmt::format("ASSAY_SEED={} ", test->seed);
  std::string expression;
  for (const char c : fmt::format("{}.{}", page.sample.name.text(), stage)) expression += c == '.' ? std::string("[.]") : std::string(1, c);
  out << "\nrepro: " << record::printable(fmt::format("{}ctest --test-dir {} --output-on-failure -R '^{}$'", seed, page.build, expression))
      << '\n';
}

/// Of GoogleTest's output: all but the messages of failed cases.
bool is_frame(std::string_view line) {
  constexpr std::string_view frames[] = {"[ RUN      ]", "[       OK ]", "[----------]", "[==========]",
                                         "[  PASSED  ]", "[  FAILED  ]", "repro: "};
  return std::ranges::any_of(frames, [&](std::string_view begin) { return line.starts_with(begin); }) || line.ends_with(": Failure") ||
         line == "Failed";
}

/// The diagnostics, and what the stage printed that failed.
void write_outputs(const SamplePage& page, std::ostream& out) {
  constexpr int most = 40;  // lines
  for (const record::Stage stage : record::all_stages) {
    const StageResult* result = page.sample.stage(stage);
    const bool failed =
        result && result->verdict && (record::is_failure(*result->verdict) || *result->verdict == record::Verdict::harness_error);
    if (stage != record::Stage::compile && !failed) continue;
    std::istringstream lines(record::printable_lines(page.outputs[static_cast<std::size_t>(stage)]));
    std::string text;
    int count = 0;
    for (std::string line; std::getline(lines, line);)
      if (!is_frame(line) && ++count <= most) text += "  " + line + "\n";
    if (text.find_first_not_of(" \n") == std::string::npos) continue;
    out << fmt::format("\nOutput of {}\n", record::name(stage)) << text;
    if (count > most) out << fmt::format("  and {} lines more, which the repro line prints\n", count - most);
  }
}

void write_source(const SamplePage& page, std::ostream& out) {
  if (page.source.empty()) return;
  out << '\n' << record::printable(page.source_path) << '\n';
  std::istringstream lines(record::printable_lines(page.source));
  int number = 0;
  for (std::string line; std::getline(lines, line);) out << fmt::format("{:>5}  {}\n", ++number, line);
}

}  // namespace

void write_sample(const SamplePage& page, std::ostream& out) {
  const auto verdict = page.sample.verdict();
  out << page.sample.name.text() << "  " << (verdict ? name(*verdict) : "NOT_RUN") << '\n';
  entry(out, "judged", page.judged);
  if (page.age == "gone") entry(out, "gone", "the candidate is no longer there");
  else if (!page.age.empty()) entry(out, "stale", fmt::format("judged before a change: {}", page.age));
  for (const record::Stage stage : {record::Stage::bench, record::Stage::test, record::Stage::compile})
    if (const record::Record* record = page.sample.record(stage)) {
      entry(out, "sandbox", std::string(record::name(record->tier)));
      entry(out, "machine", record->machine);
      break;
    }
  write_stages(page.sample, out);
  write_timing(page.sample, out);
  write_repro(page, out);
  write_outputs(page, out);
  write_source(page, out);
}

}  // namespace assay::report
