// SPDX-License-Identifier: Apache-2.0
#include "fixtures.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "assay/compile/scratch.h"
#include "assay/problem/problem_folder.h"
#include "assay/record/printable.h"
#include "assay/results/fingerprint.h"
#include "assay/results/kept_result.h"
#include "assay/spec/digest.h"
#include "assay/spec/whole_file.h"
#include "assay/stages/basis.h"

namespace assay::score {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
constexpr double kDrawSeconds = 300, kBuildSeconds = 600;

json read_json(const fs::path& file) try { return json::parse(std::ifstream(file)); } catch (const json::exception& error) {
  throw std::runtime_error(fmt::format("{}: {}. do: configure again", file.string(), error.what()));
}

/// The member `key` in place of the path of the file that holds it.
void put_in_place(json& plan, const char* key) {
  if (plan.at(key).is_string()) plan[key] = read_json(plan[key].get<std::string>());
}

/// The last line that is not empty, for a message.
std::string last_line(std::string text) {
  text.resize(text.find_last_not_of(" \n") + 1);
  return record::cut_to(record::printable(text.substr(text.rfind('\n') + 1)), 300);
}

/// Of the tree's own CMake, so that another one in PATH does not configure it again.
std::string cmake_of(const fs::path& build) {
  std::ifstream cache(build / "CMakeCache.txt");
  const std::string key = "CMAKE_COMMAND:INTERNAL=";
  for (std::string line; std::getline(cache, line);)
    if (line.starts_with(key)) return line.substr(key.size());
  throw std::runtime_error(fmt::format("{} has no CMakeCache.txt that names CMake. do: configure it", build.string()));
}

std::string suffix_of(const plan::Plan& plan) {
  return plan.toolchain.is_program() ? problem::solution_suffix(problem::read_problem(plan.task.task_yaml.file)) : plan.toolchain.suffix;
}

/// What the plan names and the build has not made yet.
std::vector<std::string> missing_files(const plan::Plan& plan) {
  std::vector<fs::path> wanted;
  if (!plan.context.empty()) wanted.push_back(plan.context.front() / "kernel.h");
  for (const fs::path& file : {plan.stub, plan.task.task_yaml.library})
    if (!file.empty()) wanted.push_back(file);
  std::vector<std::string> missing;
  for (const fs::path& file : wanted)
    if (!fs::exists(file)) missing.push_back(file.string());
  return missing;
}

}  // namespace

DrawnCases::DrawnCases(fs::path folder, const cases::Seed& seed, const std::string& task)
    : folder_(std::move(folder)), seed_(seed), name_(spec::digest("cases of " + cases::seed_text(seed) + task).substr(0, 16)) {}

DrawnCases::~DrawnCases() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Fixtures::Fixtures(const Catalogue& catalogue, Options options) : catalogue_(catalogue), options_(std::move(options)) {}

std::shared_ptr<const Fixture> Fixtures::use(const std::string& task, const std::string& backend) {
  const std::lock_guard lock(mutex_);
  const auto found = tasks_.find(task);
  if (found == tasks_.end()) return nullptr;
  OfTask& of = found->second;
  const auto fixture = of.of_backends.find(backend);
  if (fixture == of.of_backends.end() || of.uses >= options_.most_uses) return nullptr;
  ++of.uses;
  return fixture->second;
}

void Fixtures::make(const std::string& task, const std::string& backend, const StopSign& stop) {
  build_missing(task, backend, stop);
  const fs::path built = catalogue_.plan(task, backend);
  std::shared_ptr<const DrawnCases> cases;
  {
    const std::lock_guard lock(mutex_);
    OfTask& of = tasks_[task];
    if (of.uses >= options_.most_uses) of = {};
    cases = of.cases;
  }
  if (cases == nullptr) cases = draw(task, built, stop);
  json plan = read_json(built);
  put_in_place(plan, "task");
  put_in_place(plan, "settings");
  plan["task"]["cases"] = (cases->folder() / "cases.bin").string();
  plan["settings"]["machine"] = (options_.folder / "machine.json").string();
  if (!options_.effort.empty()) plan["settings"]["effort"] = options_.effort;
  auto fixture = std::make_shared<Fixture>();
  fixture->cases = cases;
  fixture->plan_file = cases->folder() / (backend + ".plan.json");
  const std::string text = plan.dump(1);
  spec::write_whole_file("score", fixture->plan_file, text);
  fixture->plan = plan::parse_plan(text, fixture->plan_file);
  const plan::Plan& loaded = fixture->plan;
  fixture->suffix = suffix_of(loaded);
  const std::string toolchain = stages::basis_of(loaded).plan,
                    tools = results::fingerprint_of_times({options_.judge, loaded.settings.compiler, loaded.toolchain.box, loaded.stub});
  fixture->basis = spec::digest(std::vector<std::string_view>{toolchain, tools, cases->name()});
  const std::lock_guard lock(mutex_);
  OfTask& of = tasks_[task];
  of.cases = cases;
  of.of_backends[backend] = std::move(fixture);
}

std::shared_ptr<const DrawnCases> Fixtures::draw(const std::string& task, const fs::path& plan, const StopSign& stop) {
  const cases::Seed seed = options_.seed ? *options_.seed : cases::fresh_seed();
  fs::path folder;
  {
    const std::lock_guard lock(mutex_);
    folder = options_.folder / fmt::format("{}.{}", task, draws_++);
  }
  fs::create_directories(folder);
  auto drawn = std::make_shared<DrawnCases>(folder, seed, task);
  json of_cases = read_json(plan);
  put_in_place(of_cases, "task");
  of_cases["task"]["cases"] = (folder / "cases.bin").string();
  const fs::path file = folder / "cases.plan.json";
  spec::write_whole_file("score", file, of_cases.dump(1));
  if (const plan::Plan loaded = plan::load_plan(file); loaded.toolchain.is_program()) build_test(task, loaded, file, stop);
  prepare("cases", task, file, seed, stop);
  note(task, *drawn);
  return drawn;
}

void Fixtures::make_timing(const Fixture& fixture, const StopSign& stop) {
  if (fixture.plan.toolchain.is_program() && !problem::read_problem(fixture.plan.task.task_yaml.file).benchmark_command)
    throw std::runtime_error(fmt::format("the problem {} has no benchmark_command, and so no stage bench. do: ask for compile and test",
                                         fixture.plan.task.name));
  if (!fs::exists(fixture.plan.task.timing())) prepare("timing", fixture.plan.task.name, fixture.plan_file, fixture.cases->seed(), stop);
}

void Fixtures::build_test(const std::string& task, const plan::Plan& plan, const fs::path& file, const StopSign& stop) const {
  const EndedChild ended =
      run_child({{plan.toolchain.box.string(), "test", "--plan", file.string()}, {}, kBuildSeconds, options_.cpus}, stop);
  if (!ended.exited() || ended.status != 0)
    throw std::runtime_error(
        fmt::format("the test of {} cannot be built: `assay-program test` ended with {}: {}", task, ended.how(), last_line(ended.output)));
}

void Fixtures::prepare(const std::string& what, const std::string& task, const fs::path& plan, const cases::Seed& seed,
                       const StopSign& stop) {
  // The secret goes by the environment: others of the machine may read a command line.
  const EndedChild ended = run_child(
      {{options_.judge.string(), what, "--plan", plan.string()}, {"ASSAY_SEED=" + cases::seed_text(seed)}, kDrawSeconds, options_.cpus},
      stop);
  if (!ended.exited() || ended.status != 0)
    throw std::runtime_error(fmt::format("the {} of {} cannot be drawn: `assay-judge {}` ended with {}: {}", what, task, what, ended.how(),
                                         last_line(ended.output)));
}

void Fixtures::build_missing(const std::string& task, const std::string& backend, const StopSign& stop) {
  const fs::path file = catalogue_.plan(task, backend);
  const std::lock_guard lock(building_mutex_);
  const std::vector<std::string> missing = missing_files(plan::load_plan(file));
  if (missing.empty()) return;
  std::vector<std::string> words = {cmake_of(catalogue_.build()), "--build", catalogue_.build().string(), "--target"};
  for (const std::string& each : missing)
    words.push_back(fs::path(each).lexically_normal().lexically_relative(catalogue_.build()).string());
  const EndedChild ended = run_child({words, {}, kBuildSeconds, options_.cpus}, stop);
  if (!ended.exited() || ended.status != 0 || !missing_files(plan::load_plan(file)).empty())
    throw std::runtime_error(fmt::format("kernel.h and stub of {} for {} cannot be built: cmake ended with {}: {}. do: build {}", task,
                                         backend, ended.how(), last_line(ended.output), catalogue_.build().string()));
}

/// Where it cannot be written, verdicts of these cases cannot be replayed later; they stand all the same.
void Fixtures::note(const std::string& task, const DrawnCases& cases) {
  const std::string line =
      json{{"cases", cases.name()}, {"task", task}, {"seed", cases::seed_text(cases.seed())}, {"drawn", results::time_now()}}.dump() + "\n";
  const spec::Descriptor journal(open(options_.journal.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  [[maybe_unused]] const ssize_t written = journal ? write(journal.get(), line.data(), line.size()) : 0;
}

}  // namespace assay::score
