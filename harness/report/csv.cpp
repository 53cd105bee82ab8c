// SPDX-License-Identifier: Apache-2.0
// One row of the table below per column.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "assay/report/escape.h"
#include "assay/report/formats.h"

namespace assay::report {

using record::Errors, record::Noise, record::Record, record::Speedup, record::Stage, record::Threads, record::all_stages, record::printable;

namespace {

struct Row {
  const Problem& problem;
  const Sample& sample;
};

struct Field {
  std::string_view name;
  std::string (*value)(const Row&);
};

template <typename T>
std::string number(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "";
}

/// A spreadsheet computes what begins like this, and a candidate can have a say in details.
std::string defused(const std::string& text) {
  const std::string shown = printable(text);
  return !shown.empty() && std::string_view("=+-@").find(shown.front()) != std::string_view::npos ? "'" + shown : shown;
}

std::string verdict_at(const Row& row, Stage stage) {
  const StageResult* result = row.sample.stage(stage);
  if (!result || !result->verdict || result->inherited) return "";
  return std::string(name(*result->verdict));
}

template <Stage stage, typename Member>
std::string of(const Row& row, Member member) {
  const Record* record = row.sample.record(stage);
  return record ? member(*record) : std::string();
}

/// Of any stage: the first record that says it.
template <typename Member>
std::string of_any(const Row& row, Member member) {
  for (Stage stage : all_stages)
    if (const Record* record = row.sample.record(stage))
      if (std::string text = member(*record); !text.empty()) return text;
  return "";
}

using R = const Record&;
constexpr auto T = Stage::test;
constexpr auto B = Stage::bench;

template <std::optional<double> Errors::*member>
std::string error(const Row& row) {
  return of<T>(row, [](R r) { return r.errors ? number((*r.errors).*member) : ""; });
}

template <double Speedup::*member>
std::string speedup(const Row& row) {
  return of<B>(row, [](R r) { return r.speedup ? number(std::optional((*r.speedup).*member)) : ""; });
}

template <int Threads::*member>
std::string threads(const Row& row) {
  return of<B>(row, [](R r) { return r.threads ? std::to_string((*r.threads).*member) : ""; });
}

template <auto member>
std::string noise(const Row& row) {
  return of<B>(row, [](R r) { return r.noise ? number(std::optional((*r.noise).*member)) : ""; });
}

constexpr std::array fields = {
    Field{"run", [](const Row& x) { return x.sample.name.run; }},
    Field{"task", [](const Row& x) { return x.sample.name.task; }},
    Field{"category", [](const Row& x) { return defused(x.problem.category); }},
    Field{"difficulty",
          [](const Row& x) { return x.problem.difficulty ? std::to_string(x.problem.difficulty) : ""; }},
    Field{"suites",
          [](const Row& x) { return defused(fmt::format("{}", fmt::join(x.problem.suites, ";"))); }},
    Field{"backend", [](const Row& x) { return x.sample.name.backend; }},
    Field{"sample", [](const Row& x) { return fmt::format("{:03}", x.sample.name.index); }},
    Field{"verdict",
          [](const Row& x) {
            auto v = x.sample.verdict();
            return v ? std::string(name(*v)) : "NOT_RUN";
          }},
    Field{"detail",
          [](const Row& x) {
            auto s = x.sample.deciding();
            return s ? defused(s->detail) : "";
          }},
    Field{"compile_verdict", [](const Row& x) { return verdict_at(x, Stage::compile); }},
    Field{"compile_ms",
          [](const Row& x) { return of<Stage::compile>(x, [](R r) { return number(r.compile_ms); }); }},
    Field{"test_verdict", [](const Row& x) { return verdict_at(x, T); }},
    Field{"cases_planned",
          [](const Row& x) {
            return of<T>(x, [](R r) { return r.cases ? std::to_string(r.cases->planned) : ""; });
          }},
    Field{"cases_passed",
          [](const Row& x) {
            return of<T>(x, [](R r) { return r.cases ? std::to_string(r.cases->passed) : ""; });
          }},
    Field{"max_abs", error<&Errors::max_abs>},
    Field{"max_rel", error<&Errors::max_rel>},
    Field{"scaled", error<&Errors::scaled>},
    Field{"bound", error<&Errors::bound>},
    Field{
        "where",
        [](const Row& x) { return of<T>(x, [](R r) { return r.errors ? defused(r.errors->where) : ""; }); }},
    Field{"repeatable",
          [](const Row& x) {
            return of<T>(x, [](R r) { return r.repeatable ? *r.repeatable ? "true" : "false" : ""; });
          }},
    Field{"test_seed", [](const Row& x) { return of<T>(x, [](R r) { return defused(r.seed); }); }},
    Field{"bench_verdict", [](const Row& x) { return verdict_at(x, B); }},
    Field{"effort", [](const Row& x) { return of<B>(x, [](R r) { return defused(r.effort); }); }},
    Field{"target", [](const Row& x) { return of<B>(x, [](R r) { return defused(r.target); }); }},
    Field{"cache", [](const Row& x) { return of<B>(x, [](R r) { return defused(r.cache); }); }},
    Field{"launches", [](const Row& x) { return of<B>(x, [](R r) { return number(r.launches); }); }},
    Field{"pairs", [](const Row& x) { return of<B>(x, [](R r) { return number(r.pairs); }); }},
    Field{"time_ns", [](const Row& x) { return of<B>(x, [](R r) { return number(r.time_ns); }); }},
    Field{"baseline_ns", [](const Row& x) { return of<B>(x, [](R r) { return number(r.baseline_ns); }); }},
    Field{"speedup", speedup<&Speedup::estimate>},
    Field{"speedup_low", speedup<&Speedup::low>},
    Field{"speedup_high", speedup<&Speedup::high>},
    Field{"speedup_at_least", speedup<&Speedup::at_least>},
    Field{"gbps", [](const Row& x) { return of<B>(x, [](R r) { return number(r.gbps); }); }},
    Field{"gflops", [](const Row& x) { return of<B>(x, [](R r) { return number(r.gflops); }); }},
    Field{"efficiency", [](const Row& x) { return of<B>(x, [](R r) { return number(r.efficiency); }); }},
    Field{"baseline", [](const Row& x) { return of<B>(x, [](R r) { return defused(r.baseline); }); }},
    Field{"device_ns", [](const Row& x) { return of<B>(x, [](R r) { return number(r.device_ns); }); }},
    Field{"candidate_threads", threads<&Threads::candidate>},
    Field{"baseline_threads", threads<&Threads::baseline>},
    Field{"steal", noise<&Noise::steal>},
    Field{"load", noise<&Noise::load>},
    Field{"switches", noise<&Noise::switches>},
    Field{"pressure", noise<&Noise::pressure>},
    Field{"baseline_drift", noise<&Noise::baseline_drift>},
    Field{"bench_seed", [](const Row& x) { return of<B>(x, [](R r) { return defused(r.seed); }); }},
    Field{"tier", [](const Row& x) { return of_any(x, [](R r) { return std::string(name(r.tier)); }); }},
    Field{"machine", [](const Row& x) { return of_any(x, [](R r) { return defused(r.machine); }); }},
    Field{"device", [](const Row& x) { return of_any(x, [](R r) { return r.device ? defused(r.device->selector) : ""; }); }},
    Field{"file",
          [](const Row& x) {
            auto s = x.sample.deciding();
            return s ? defused(s->file) : "";
          }},
};

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

}  // namespace

void write_csv(const Summary& summary, std::ostream& out) {
  const char* comma = "";
  for (const Field& field : fields) out << std::exchange(comma, ",") << field.name;
  out << "\r\n";
  for (const Problem& problem : summary.results.problems)
    for (const Sample& sample : problem.samples) {
      comma = "";
      for (const Field& field : fields) out << std::exchange(comma, ",") << quoted(field.value({problem, sample}));
      out << "\r\n";
    }
}

}  // namespace assay::report
