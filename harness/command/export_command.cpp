// SPDX-License-Identifier: Apache-2.0
// `assay export compute-eval`: problems, candidates and verdicts as ComputeEval's own tools read them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "assay/compile/source_files.h"
#include "assay/plan/plan.h"
#include "assay/problem/pack.h"
#include "assay/problem/problem_folder.h"
#include "assay/program/build.h"
#include "assay/record/printable.h"
#include "assay/record/record.h"
#include "assay/report/statistics.h"
#include "assay/results/kept_result.h"
#include "assay/spec/whole_file.h"
#include "build_tree.h"
#include "commands.h"

namespace assay::command {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using problem::Pack, problem::ProblemError;

struct ExportOptions {
  std::string what, from, out = ".", release, created, run, build = "build/evaluate";
  std::vector<int> k = {1};
};

/// Groups that the format has; its own reader refuses others.
constexpr std::array kGroups = {"cuda-runtime", "cuda-kernels", "cccl", "cublas", "mathlibs", "cutile", "cudnn"};

/// The problem of each program task that a build folder knows, by the task's name.
std::map<std::string, Json> problems_of(const fs::path& build) {
  std::map<std::string, Json> problems;
  for (const auto& entry : fs::directory_iterator(build / "kernelassay"))
    if (const fs::path plan = entry.path() / "program.plan.json"; fs::exists(plan)) {
      const plan::DeclaredTask task = plan::load_plan(plan).task;
      if (fs::exists(task.task_yaml.file)) problems[task.name] = problem::complete_record(problem::read_folder_record(task.task_yaml.file));
    }
  return problems;
}

/// The time that a pack says: what was asked for, what the pack had, or the day of its newest problem.
std::string created_of(const Pack& pack, const std::string& asked) {
  if (!asked.empty()) return asked;
  if (pack.metadata.is_object() && pack.metadata.contains("created_at") && pack.metadata["created_at"].is_string())
    return pack.metadata["created_at"];
  std::string newest = "1970-01-01";
  for (const Json& record : pack.records) newest = std::max(newest, record.value("date", std::string()));
  return newest + "T00:00:00";
}

void write_pack(const Pack& pack, const fs::path& file) {
  fs::create_directories(file.parent_path());
  spec::write_whole_file("export", file, problem::pack_bytes(pack));
  fmt::print("{}: {} {}\n", record::printable(file.string()), pack.records.size(), pack.solutions ? "solutions" : "problems");
}

void export_problems(const ExportOptions& options) {
  Pack pack = problem::read_pack(options.from);
  if (pack.solutions) throw ProblemError(fmt::format("{}: holds solutions. expected: problems", pack.file));
  std::set<std::string> unknown;
  for (Json& record : pack.records) {
    record = problem::complete_record(record);
    if (const std::string group = record["group"]; std::ranges::find(kGroups, group) == kGroups.end()) unknown.insert(group);
  }
  if (!unknown.empty())
    fmt::print(stderr, "export: ComputeEval's own reader knows no group {}. known: {}\n",
               record::printable(fmt::format("{}", fmt::join(unknown, ", "))), fmt::join(kGroups, " "));
  const Json description = pack.metadata.is_object() ? pack.metadata.value("description", Json()) : Json();
  pack.metadata = problem::metadata_of(pack, options.release, created_of(pack, options.created));
  pack.metadata["description"] = description;
  write_pack(pack, fs::path(options.out) / (options.release + "-problems.tar.gz"));
}

struct Sample {
  std::string name, task;
  fs::path source;
  std::string why_skipped;  ///< of a problem that is not judged here, or only compiled
};

/// Adds the samples of problems that CMake has skipped, these problems, and why samples are only compiled (skipped.txt of
/// cmake/KernelCandidates.cmake).
void add_skipped(const BuildTree& tree, const std::string& run, std::vector<Sample>& samples, std::map<std::string, Json>& problems) {
  std::ifstream in(tree.folder() / "kernelassay" / "skipped.txt");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string of_run, task, spec, folder, reason;
    for (std::string* word : {&of_run, &task, &spec, &folder}) std::getline(words, *word, '\t');
    std::getline(words, reason);
    if (of_run != run || !fs::is_directory(folder)) continue;
    problems[task] = problem::complete_record(problem::read_folder_record(spec));
    for (const auto& entry : fs::directory_iterator(folder)) {
      const auto number = record::parse_sample_number(entry.path().stem().string());
      if (!number) continue;
      const std::string name = fmt::format("{}.{}.program.{:03}", run, task, *number);
      const auto known = std::ranges::find(samples, name, &Sample::name);
      if (known != samples.end()) known->why_skipped = reason;
      else samples.push_back({name, task, entry.path(), reason});
    }
  }
}

/// The candidates of the run for program tasks, by task and number; adds the problems of those that are skipped.
std::vector<Sample> samples_of(const BuildTree& tree, const std::string& run, std::map<std::string, Json>& problems) {
  std::vector<Sample> samples;
  for (const auto& [name, source] : tree.candidates()) {
    const record::SampleName sample = record::parse_test_name(name + ".test")->sample;
    if (sample.run == run && sample.backend == "program") samples.push_back({name, sample.task, source, ""});
  }
  add_skipped(tree, run, samples, problems);
  std::ranges::sort(samples, {}, &Sample::name);
  if (samples.empty())
    throw std::runtime_error(fmt::format("export: the run {} has no candidate of a program task in {}", run, tree.folder().string()));
  return samples;
}

Json solution_of(const Sample& sample, const Json& problem) {
  const compile::SourceFiles sources = compile::read_source_files(sample.source);
  if (!sources.fault.empty()) throw std::runtime_error(fmt::format("export: {}: {}", sample.name, sources.fault));
  return problem::solution_record(problem.at("task_id"), program::placed_files(problem::read_record(problem, sample.task), sources));
}

void export_solutions(const ExportOptions& options) {
  const BuildTree tree(options.build);
  std::map<std::string, Json> problems = problems_of(options.build);
  Pack pack;
  pack.solutions = true;
  for (const Sample& sample : samples_of(tree, options.run, problems))
    pack.records.push_back(solution_of(sample, problems.at(sample.task)));
  pack.metadata = problem::metadata_of(pack, options.release, created_of(pack, options.created));
  write_pack(pack, fs::path(options.out) / fmt::format("{}-{}-solutions.tar.gz", options.release, options.run));
}

struct Tally {
  int samples = 0, judged = 0, passed = 0;
};

/// Chances over the problems of which a sample was judged; a sample that was not counts as one that fails, as ComputeEval counts.
Json pass_at(const std::vector<Tally>& problems, const std::vector<int>& ks) {
  std::vector<Tally> judged;
  std::ranges::copy_if(problems, std::back_inserter(judged), [](const Tally& tally) { return tally.judged > 0; });
  Json pass = {{"skipped", problems.size() - judged.size()}};
  for (const int k : ks) {
    if (judged.empty() || std::ranges::any_of(judged, [&](const Tally& tally) { return tally.samples < k; })) continue;
    double sum = 0;
    for (const Tally& tally : judged) sum += report::at_least_one(tally.samples, tally.passed, k);
    pass[fmt::format("pass@{}", k)] = sum / static_cast<double>(judged.size());
  }
  return pass;
}

/// What is kept of a stage, and what was printed.
struct Kept {
  std::optional<record::Record> record;
  std::string output;

  std::optional<record::Verdict> verdict() const { return record ? std::optional(record->verdict) : std::nullopt; }
};

Kept kept_of(const BuildTree& tree, const std::string& test) {
  const auto result = results::read_result(tree.results_folder(), test);
  if (!result || result->record.empty()) return {};
  return {record::parse_record(result->record), result->output};
}

/// The format's unit.
Json milliseconds(const std::optional<double>& nanoseconds) { return nanoseconds ? Json(*nanoseconds * 1e-6) : Json(); }

void export_graded(const ExportOptions& options) {
  const BuildTree tree(options.build);
  std::map<std::string, Json> problems = problems_of(options.build);
  const std::string name = fmt::format("{}-{}", options.release, options.run);
  std::string lines;
  std::map<std::string, Tally> tallies;
  for (const Sample& sample : samples_of(tree, options.run, problems)) {
    const Json& problem = problems.at(sample.task);
    const Kept compiled = kept_of(tree, sample.name + ".compile"), tested = kept_of(tree, sample.name + ".test"),
               timed = kept_of(tree, sample.name + ".bench");
    const bool passed = tested.verdict() == record::Verdict::pass;
    const bool failed_to_compile = compiled.verdict() && compiled.verdict() != record::Verdict::pass;
    const bool judged = failed_to_compile || (tested.verdict() && tested.verdict() != record::Verdict::harness_error);
    const bool has_time = passed && timed.verdict() == record::Verdict::pass && timed.record->speedup;
    Tally& tally = tallies[sample.task];
    ++tally.samples;
    tally.judged += judged;
    tally.passed += passed;
    Json solution = solution_of(sample, problem);
    solution["datapack_name"] = name + "-solutions.tar.gz";
    const Json line = {
        {"task_id", problem.at("task_id")},
        {"passed", passed},
        {"skipped", !judged},
        {"solution", std::move(solution)},
        {"problem", problem},
        {"build_output", compiled.output},
        {"test_output", judged || sample.why_skipped.empty() ? tested.output : fmt::format("skipped: {}", sample.why_skipped)},
        {"benchmark_output", timed.record ? Json(timed.output) : Json()},
        {"solution_metrics", nullptr},
        {"solution_time", has_time ? milliseconds(timed.record->time_ns) : Json()},
        {"baseline_metrics", nullptr},
        {"baseline_time", has_time ? milliseconds(timed.record->baseline_ns) : Json()},
        {"speedup", has_time ? Json(timed.record->speedup->estimate) : Json()}};
    lines += line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  fs::create_directories(options.out);
  spec::write_whole_file("export", fs::path(options.out) / (name + "-graded-solutions.jsonl"), lines);

  std::vector<Tally> all;
  std::map<std::string, std::vector<Tally>> groups;
  for (const auto& [task, tally] : tallies) {
    all.push_back(tally);
    groups[problems.at(task).at("group")].push_back(tally);
  }
  const auto evaluated = [](const std::vector<Tally>& some) {
    return std::ranges::count_if(some, [](const Tally& tally) { return tally.judged > 0; });
  };
  Json by_group = Json::object(), names = Json::array();
  for (const auto& [group, some] : groups) {
    names.push_back(group);
    by_group[group] = pass_at(some, options.k);
    by_group[group]["evaluated_problem_count"] = evaluated(some);
  }
  const Json summary = {{"pass_at_k", pass_at(all, options.k)},
                        {"total_problem_count", all.size()},
                        {"evaluated_problem_count", evaluated(all)},
                        {"groups", names},
                        {"metrics_by_group", by_group}};
  std::cout << summary.dump(2, ' ', true, Json::error_handler_t::replace) << '\n';
}

}  // namespace

static void add_export_command(CLI::App& app, int&) {
  CLI::App* above = app.add_subcommand("export", "write tasks, candidates or verdicts as another system's files");
  above->require_subcommand(1);
  CLI::App* command = above->add_subcommand("compute-eval", "packs of ComputeEval");
  auto options = std::make_shared<ExportOptions>();
  const std::map<std::string, void (*)(const ExportOptions&)> works = {
      {"problems", export_problems}, {"solutions", export_solutions}, {"graded", export_graded}};
  command
      ->add_option("what", options->what,
                   "problems: <release>-problems.tar.gz of a folder of problems; solutions: <release>-<run>-solutions.tar.gz of a run's "
                   "candidates; graded: <release>-<run>-graded-solutions.jsonl of kept results, and pass@k as JSON on stdout")
      ->required()
      ->check(CLI::IsMember({"problems", "solutions", "graded"}));
  command->add_option("from", options->from, "of problems: folder with problem-spec.yaml below it, or a pack");
  command->add_option("--release", options->release, "name of the release: the files' names begin with it")
      ->required()
      ->check([](const std::string& text) {
        return text.empty() || text.find('/') != text.npos || text.front() == '.' ? "must be a name, got '" + text + "'" : std::string();
      });
  command->add_option("--out", options->out, "folder to write to")->capture_default_str();
  command->add_option("--created", options->created,
                      "time that a pack says: 2026-01-01T00:00:00 (default: its own, or of its newest problem)");
  command->add_option("--run", options->run, "of solutions and graded: run of the candidates");
  command->add_option("--build", options->build, "of solutions and graded: built folder that has them")->capture_default_str();
  command->add_option("--k", options->k, "of graded: values of k")->delimiter(',')->allow_extra_args(false)->check(CLI::Range(1, 1000));
  command->callback([options, works] {
    const bool problems = options->what == "problems";
    if (problems ? options->from.empty() : options->run.empty())
      throw std::runtime_error(fmt::format("export {}: needs {}", options->what, problems ? "a folder of problems" : "--run"));
    works.at(options->what)(*options);
  });
}
static const bool export_defined = define_command("export", add_export_command);

}  // namespace assay::command
