// SPDX-License-Identifier: Apache-2.0
#include "assay/report/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "assay/record/record.h"
#include "assay/report/escape.h"

namespace assay::report {

namespace {

/// Takes the number at the beginning of `text`, after spaces.
bool take_number(std::string_view& text, int& number) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// Of the last word but one: "   Passed    0.02 sec".
double seconds_at_end(std::string_view text) {
  const auto unit = text.rfind(" sec");
  if (unit == std::string_view::npos) return 0;
  const auto begin = text.rfind(' ', unit - 1) + 1;
  double seconds = 0;
  std::from_chars(text.data() + begin, text.data() + unit, seconds);
  return seconds;
}

}  // namespace

std::optional<EndedTest> parse_ctest_line(std::string_view line) {
  EndedTest test;
  int number = 0;
  if (!take_number(line, test.ended) || !take(line, "/") || !take_number(line, test.all) || !take(line, " Test")) return {};
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (!take(line, "#") || !take_number(line, number) || !take(line, ": ")) return {};
  const auto end = line.find(' ');
  if (end == std::string_view::npos) return {};
  test.name = line.substr(0, end);
  const std::string_view rest = line.substr(end);
  test.passed = rest.find("  Passed") != std::string_view::npos;
  test.ran = rest.find("***Not Run") == std::string_view::npos;
  test.seconds = seconds_at_end(rest);
  return test;
}

std::string spell_duration(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  return whole < 60 ? fmt::format("{} s", whole) : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

Progress::Progress(std::string title, const std::vector<std::string>& tests, int jobs, ProgressStyle style, std::ostream& out)
    : title_(std::move(title)), jobs_(std::max(1, jobs)), style_(style), out_(out) {
  for (const std::string& test : tests) {
    const auto name = record::parse_test_name(test);
    if (!name) continue;
    const std::string sample = name->sample.text();
    record::Stage& last = last_stage_.try_emplace(sample, name->stage).first->second;
    last = std::max(last, name->stage);
    ++planned_[static_cast<std::size_t>(name->stage)];
    ++candidates_;
    name_width_ = std::max(name_width_, sample.size());
  }
  all_ = static_cast<int>(tests.size());
}

int Progress::harness_errors() const {
  const auto found = counts_.find(record::Verdict::harness_error);
  return found == counts_.end() ? 0 : found->second;
}

void Progress::fail(const std::string& name, record::Verdict verdict, std::string_view detail) {
  const std::string line =
      fmt::format("{:<{}}  {:<16}  {}", record::printable(name), name_width_, record::name(verdict), record::printable(detail));
  out_ << (style_.rewrites ? "\r\x1b[K" : "") << shorten(line, style_.columns) << '\n';
}

void Progress::judge(const record::TestName& name, const EndedTest& test, const results::KeptResult* result) {
  if (!test.ran) return;  // after a failure that has had its line
  const std::string sample = name.sample.text();
  record::Verdict verdict = record::Verdict::harness_error;
  std::string detail = fmt::format("stage {} left no result: it was killed, or the judge died", record::name(name.stage));
  try {
    if (result && result->is_complete()) {
      const record::Record record = record::parse_record(result->record);
      verdict = record.verdict;
      detail = record.detail;
    }
  } catch (const std::exception& error) {
    detail = error.what();
  }
  if (verdict == record::Verdict::pass && last_stage_[sample] != name.stage) return;
  ++counts_[verdict];
  // What would have come after a failure takes no time.
  for (record::Stage& last = last_stage_[sample]; last > name.stage; last = static_cast<record::Stage>(static_cast<int>(last) - 1))
    --planned_[static_cast<std::size_t>(last)];
  if (record::is_failure(verdict) || verdict == record::Verdict::harness_error) fail(sample, verdict, detail);
}

void Progress::add(const EndedTest& test, const results::KeptResult* result, double now) {
  done_ = test.ended;
  all_ = test.all;
  const auto name = record::parse_test_name(test.name);
  const std::size_t kind = name ? static_cast<std::size_t>(name->stage) : fixture_kind;
  // One that a failure kept from running is planned no longer.
  if (!name || last_stage_[name->sample.text()] >= name->stage) ++ended_[kind];
  if (test.ran) {
    ++timed_[kind];
    seconds_[kind] += test.seconds;
  }
  if (name) {
    judge(*name, test, result);
  } else if (test.ran && !test.passed) {
    ++counts_[record::Verdict::harness_error];
    const bool ended = result && result->is_complete();
    fail(test.name, record::Verdict::harness_error,
         ended ? result->output : "our own setup left no result: it was killed, or the judge died");
  }
  show(now);
}

double Progress::seconds_left() const {
  constexpr std::array<double, kinds> usual = {0.05, 2, 3, 2};  // until one has ended
  double left = 0;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const double each = timed_[kind] > 0 ? seconds_[kind] / timed_[kind] : usual[kind];
    const int planned = kind == fixture_kind ? all_ - candidates_ : planned_[kind];
    left += std::max(0, planned - ended_[kind]) * each / (kind == bench_kind ? 1 : jobs_);
  }
  return left;
}

std::string Progress::verdicts() const {
  std::string text;
  for (const record::VerdictInfo& each : record::all_verdicts)
    if (const auto found = counts_.find(each.verdict); found != counts_.end()) text += fmt::format("  {} {}", each.name, found->second);
  return text;
}

std::string Progress::line(double now) const {
  const std::string rate = now > 0 ? fmt::format("  {:.1f} tests/s", done_ / now) : "";
  return fmt::format("{}  {}/{} tests{}  {} left{}", title_, done_, all_, rate, spell_duration(seconds_left()), verdicts());
}

void Progress::show(double now) {
  if (style_.rewrites) {
    out_ << "\r\x1b[K" << shorten(line(now), style_.columns - 1) << std::flush;
  } else if (now - shown_ >= style_.pause) {
    out_ << line(now) << std::endl;
    shown_ = now;
  }
}

void Progress::finish(double now) {
  out_ << (style_.rewrites ? "\r\x1b[K" : "") << fmt::format("{}  {} tests in {}{}", title_, done_, spell_duration(now), verdicts())
       << std::endl;
}

}  // namespace assay::report
