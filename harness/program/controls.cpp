// SPDX-License-Identifier: Apache-2.0
#include "assay/program/controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "assay/compile/scratch.h"
#include "assay/problem/problem_folder.h"
#include "assay/program/run.h"
#include "assay/spec/digest.h"
#include "assay/spec/source_scan.h"
#include "assay/spec/whole_file.h"
#include "python_problem.h"

namespace assay::program {
namespace {

namespace fs = std::filesystem;
using compile::Scratch, compile::SourceFiles, compile::StoredCompilation;
using plan::Plan;
using problem::Problem, problem::TextFile;
using record::Verdict;

/// Whether nothing comes back: "void f(", "__global__ void f(", but not "void* f("; a constructor, a destructor.
bool returns_nothing(std::string_view head) {
  std::vector<std::string_view> words;
  for (const spec::Token& token : spec::tokens_of(head)) words.push_back(head.substr(token.begin, token.end - token.begin));
  for (std::size_t i = 0; i + 1 < words.size() && words[i] != "("; ++i) {
    if (words[i] == "void" && words[i + 1] != "*" && words[i + 1] != "&") return true;
    if (words[i] == "~") return true;
    if (i >= 3 && words[i - 1] == ":" && words[i - 2] == ":" && words[i - 3] == words[i]) return true;  // Queue::Queue
  }
  return false;
}

class Trial {
 public:
  explicit Trial(const Plan& plan) : plan_(plan), problem_(problem::read_problem(plan.task.task_yaml.file)), call_(test_call(problem_)) {}

  const Problem& problem() const { return problem_; }

  /// `make` builds the program in a scratch folder.
  template <class Make>
  Control run(const std::string& name, Make make) const {
    const plan::Candidate nobody{"control", 0, {}, test_folder(plan_) / name, nullptr};
    const Scratch scratch(nobody);
    StoredCompilation made;
    const fs::path program = make(scratch, made);
    if (made.record.verdict != Verdict::pass) return {name, made.record.verdict, made.record.detail, {}};
    const Ended ended = run_program(plan_, problem_, program, call_, scratch.path() / "run");
    return {name, ended.verdict, ended.detail, ended.changes};
  }

  Control run_files(const std::string& name, const std::vector<TextFile>& files) const {
    return run(name,
               [&](const Scratch& scratch, StoredCompilation& made) { return build_candidate(plan_, sources_of(files), scratch, made); });
  }

 private:
  const Plan& plan_;
  Problem problem_;
  Call call_;
};

}  // namespace

std::string basis_of(const Plan& plan) {
  const auto bytes_of = [](const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  };
  const std::string object = bytes_of(test_folder(plan) / "judge.o");
  const std::string task = problem::own_text(plan.task.task_yaml.file);
  const std::string tool = fmt::format("{}", fs::last_write_time(fs::read_symlink("/proc/self/exe")).time_since_epoch().count());
  std::string program;  // of Python problems
  if (!share_a_process(plan))
    for (const char* name : {"assay_problem.py", "assay_values.py"})
      program += bytes_of(fs::path(plan.toolchain.compile.back()).replace_filename(name));
  const std::string_view parts[] = {object, task, program, tool, plan.verbatim ? "verbatim" : "ours"};
  return spec::digest(parts);
}

namespace {

nlohmann::json kept_json(const Plan& plan) {
  std::ifstream in(plan.task.cases);
  return nlohmann::json::parse(in, nullptr, false);
}

Controls read_controls(const nlohmann::json& json) {
  Controls controls;
  controls.vacuous = json.at("vacuous");
  controls.why = json.at("why");
  for (const auto& run : json.at("runs"))
    controls.runs.push_back({run.at("name"), record::verdict_named(run.at("verdict").get<std::string>()).value(), run.at("detail"), {}});
  controls.changes = json.at("changes");
  return controls;
}

/// The last ones, where nothing has changed that decides them: a control costs as much as a candidate.
std::optional<Controls> kept_controls(const Plan& plan) {
  const nlohmann::json json = kept_json(plan);
  if (!json.is_object() || json.value("basis", "") != basis_of(plan)) return {};
  return read_controls(json);
}

void keep(const Plan& plan, const Controls& controls) {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (const Control& run : controls.runs)
    runs.push_back({{"name", run.name}, {"verdict", record::name(run.verdict)}, {"detail", run.detail}});
  const nlohmann::ordered_json json = {{"version", 1},        {"basis", basis_of(plan)},     {"vacuous", controls.vacuous},
                                       {"why", controls.why}, {"changes", controls.changes}, {"runs", runs}};
  spec::write_whole_file("controls", plan.task.cases, json.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace

std::vector<TextFile> emptied(const Problem& problem, const std::vector<std::string>& api) {
  std::vector<TextFile> files = problem.solution;
  std::set<std::string> found;
  for (TextFile& file : files) {
    const spec::SourceScan scan = spec::scan_source(file.text);
    std::string text;
    std::size_t done = 0;
    for (const spec::Definition& definition : scan.definitions) {
      const std::string_view all = file.text;
      found.emplace(definition.name);
      text += all.substr(done, definition.body - done);
      text += returns_nothing(all.substr(definition.begin, definition.body - definition.begin)) ? "{}" : "{ return {}; }";
      done = definition.end;
    }
    text += file.text.substr(done);
    file.text = text;
  }
  for (const std::string& symbol : api)
    if (std::ranges::none_of(found, [&](const std::string& name) { return symbol.find(name) != symbol.npos; })) return {};
  return files;
}

Controls run_controls(const Plan& plan) {
  Controls controls;
  if (auto kept = kept_controls(plan)) return *kept;
  std::error_code error;
  fs::remove(plan.task.cases, error);
  if (plan.verbatim) {
    keep(plan, controls);
    return controls;
  }
  const BuiltTest test = load_built_test(plan);
  const Trial trial(plan);
  controls.runs.push_back(trial.run_files("reference", trial.problem().solution));
  if (const Control& reference = controls.runs.front(); reference.verdict != Verdict::pass)
    throw std::runtime_error(fmt::format("{}: its own reference solution does not pass here: {}: {}. do: see docs/programs.md",
                                         plan.task.name, record::name(reference.verdict), reference.detail));
  controls.changes = controls.runs.front().changes;
  controls.runs.push_back(
      trial.run("idle", [&](const Scratch& scratch, StoredCompilation& made) { return build_idle(plan, test, scratch, made); }));
  if (is_python(trial.problem()))
    controls.runs.push_back(
        trial.run("empty", [](const Scratch& scratch, StoredCompilation& made) { return build_python_idle("None", scratch, made); }));
  else if (const auto files = emptied(trial.problem(), test.api); !files.empty()) controls.runs.push_back(trial.run_files("empty", files));
  for (const Control& run : controls.runs) {
    if (run.name == "reference" || run.verdict != Verdict::pass) continue;
    controls.vacuous = true;
    controls.why += fmt::format("{}{} passes", controls.why.empty() ? "" : ", ",
                                run.name == "idle" ? "a solution that returns 0 at once" : "the reference with empty functions");
  }
  keep(plan, controls);
  return controls;
}

Controls load_controls(const Plan& plan) {
  const nlohmann::json json = kept_json(plan);
  if (json.is_discarded())
    throw std::runtime_error(fmt::format("{} is not there. do: run the fixture assay.{}.cases", plan.task.cases.string(), plan.task.name));
  return read_controls(json);
}

}  // namespace assay::program
