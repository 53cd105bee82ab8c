// SPDX-License-Identifier: Apache-2.0
// `assay generate`: the configuration and the command line over it, to generate::Run; the work is in harness/generate.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <set>

#include "assay/generate/client.h"
#include "assay/generate/replay.h"
#include "assay/generate/run.h"
#include "assay/plan/plan.h"
#include "assay/problem/problem_folder.h"
#include "assay/record/printable.h"
#include "assay/spec/nearest.h"
#include "assay/spec/suite.h"
#include "commands.h"
#include "score_options.h"
#include "scoring_judge.h"
#include "task_argument.h"

namespace assay::command {
namespace {

namespace fs = std::filesystem;

struct GenerateOptions {
  std::string config, build = "build/evaluate", out = "generated", replay;
  std::string run, provider, model, backend;
  generate::PromptChoice prompt;
  std::vector<std::string> tasks, suites;
  int samples = 0, concurrency = 0, limit = 0;
  std::optional<double> temperature;
  bool dry_run = false;
};

/// The command line says more than the file.
generate::RunConfig configuration(const GenerateOptions& options) {
  generate::RunConfig config;
  if (!options.config.empty()) config = generate::load_config(options.config);
  if (!options.provider.empty()) config.endpoint = generate::parse_config("provider: " + options.provider + "\n", "--provider").endpoint;
  const auto over = [](const auto& given, auto& value) {
    if (!given.empty()) value = given;
  };
  over(options.run, config.run);
  over(options.model, config.sampling.model);
  over(options.backend, config.backend);
  over(options.prompt.template_file, config.prompt.template_file);
  over(options.prompt.shots, config.prompt.shots);
  over(options.prompt.parts, config.prompt.parts);
  if (options.prompt.shot_count != 0) config.prompt.shot_count = options.prompt.shot_count;
  if (!options.tasks.empty() || !options.suites.empty()) {
    config.tasks = options.tasks;
    config.suites = options.suites;
  }
  if (options.samples != 0) config.samples = options.samples;
  if (options.concurrency > 0) config.endpoint.limits.concurrency = options.concurrency;
  if (options.temperature) config.sampling.temperature = options.temperature;
  return config;
}

/// The tasks of the build that take candidates of the backend.
std::vector<plan::DeclaredTask> declared_tasks(const fs::path& build, const std::string& backend) {
  std::vector<plan::DeclaredTask> tasks;
  for (const auto& entry : fs::directory_iterator(build / "kernelassay"))
    if (const fs::path file = entry.path() / (backend + ".plan.json"); fs::exists(file)) tasks.push_back(plan::load_plan(file).task);
  std::ranges::sort(tasks, {}, &plan::DeclaredTask::name);
  return tasks;
}

/// Of `all` those that are asked for. Throws std::runtime_error for a name that none has.
std::vector<plan::DeclaredTask> chosen_tasks(const std::vector<plan::DeclaredTask>& all, const generate::RunConfig& config,
                                             const std::string& build) {
  std::set<std::string> names, suites;
  for (const plan::DeclaredTask& task : all) {
    names.insert(task.name);
    suites.insert(task.suites.begin(), task.suites.end());
  }
  const auto require = [&](const char* what, const std::string& name, const std::set<std::string>& known) {
    if (known.contains(name)) return;
    throw std::runtime_error(
        fmt::format("generate: {} has no {} '{}' for {}{}. do: correct the name, or name another build folder with --build", build, what,
                    name, config.backend, spec::did_you_mean(name, {known.begin(), known.end()})));
  };
  for (const std::string& task : config.tasks) require("task", task, names);
  for (const std::string& suite : config.suites) require("suite", suite, suites);
  if (config.tasks.empty() && config.suites.empty()) return all;
  std::vector<plan::DeclaredTask> chosen;
  const auto is_in = [](const std::vector<std::string>& list) {
    return [&list](const std::string& name) { return std::ranges::find(list, name) != list.end(); };
  };
  std::ranges::copy_if(all, std::back_inserter(chosen), [&](const plan::DeclaredTask& task) {
    return is_in(config.tasks)(task.name) || std::ranges::any_of(task.suites, is_in(config.suites));
  });
  return chosen;
}

/// Throws std::runtime_error where the configuration says what problems have not.
std::vector<generate::Ask> asks_of_problems(const generate::RunConfig& config, const std::string& build) {
  if (config.prompt.parts.size() + config.prompt.template_file.size() + config.prompt.shots.size() > 0)
    throw std::runtime_error(
        "generate: problems with tests of their own bring their prompts. got: parts, a template or examples. do: leave them out");
  std::vector<generate::Ask> asks;
  for (const plan::DeclaredTask& declared : chosen_tasks(declared_tasks(build, config.backend), config, build)) {
    const problem::Problem problem = problem::read_problem(declared.task_yaml.file);
    asks.push_back({declared.name, answer_form(problem), problem::prompt_for(problem)});
  }
  return asks;
}

std::vector<generate::Ask> asks_of(const generate::RunConfig& config, const std::string& build) {
  const plan::Toolchain toolchain = plan::load_toolchain(find_toolchain(build, config.backend));
  if (toolchain.is_program()) return asks_of_problems(config, build);
  const generate::BackendDescription backend = describe_backend(toolchain);
  generate::MachineDescription machine = generate::this_machine();
  const std::unique_ptr<generate::ExampleFolder> examples = generate::open_examples(config.prompt, backend);
  std::vector<generate::Ask> asks;
  for (const plan::DeclaredTask& declared : chosen_tasks(declared_tasks(build, config.backend), config, build)) {
    const spec::Task task = spec::load_checked_task(declared.task_yaml);
    machine.seconds = static_cast<int>(declared.time_limit.count());
    asks.push_back({task.name,
                    {toolchain.suffix, toolchain.launches() ? "" : task.name},
                    generate::prompt_for(task, backend, config.prompt, machine,
                                         {examples.get(), examples ? spec::family_of(declared.task_yaml) : std::vector<std::string>()})});
  }
  return asks;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string progress_text(const generate::Totals& totals) {
  const int fresh = totals.answered - totals.before;
  std::string text = fmt::format("{}/{} answered, {} with a candidate", totals.answered, totals.wanted, totals.candidates);
  if (totals.failed > 0) text += fmt::format(", {} failed", totals.failed);
  if (totals.judging > 0) text += fmt::format(", {} being judged", totals.judging);
  if (totals.unjudged > 0) text += fmt::format(", {} could not be judged", totals.unjudged);
  if (fresh > 0 && totals.seconds > 0) text += fmt::format(", {:.1f}/s", fresh / totals.seconds);
  text += fmt::format(", {} tokens", totals.usage.prompt + totals.usage.completion);
  if (totals.usage.cost) text += fmt::format(", cost {:.2f}", *totals.usage.cost);
  return text;
}

/// On a terminal one line that changes; else a line now and then.
class ProgressLine {
 public:
  void show(const generate::Totals& totals) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + (terminal_ ? std::chrono::milliseconds(250) : std::chrono::milliseconds(10000));
    std::string text = progress_text(totals);
    if (const int fresh = totals.answered - totals.before; fresh > 0)
      text += fmt::format(", {} left", duration_text(totals.seconds / fresh * (totals.wanted - totals.answered)));
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r\x1b[K" : "", text, terminal_ ? "" : "\n");
    std::fflush(stderr);
  }
  void say(const std::string& line) { fmt::print(stderr, "{}{}\n", terminal_ ? "\r\x1b[K" : "", record::cut_to(line, 400)); }
  void end() {
    if (terminal_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
};

/// Whoever judges answers for the strategy; nullptr where nobody needs to.
std::unique_ptr<generate::Judge> judge_for(const generate::RunConfig& config, const GenerateOptions& options) {
  if (!generate::make_strategy(config.strategy)->judges()) return nullptr;
  if (!options.replay.empty()) return std::make_unique<generate::ReplayedJudge>(options.replay);
  score::ScorerOptions scoring = default_score_options();
  scoring.build = options.build;
  return std::make_unique<ScoringJudge>(std::move(scoring), config.backend);
}

/// 0, 1 where requests failed, 3 where answers could not be judged.
int generate_candidates(const GenerateOptions& options) {
  const generate::RunConfig config = configuration(options);
  generate::check_config(config);
  std::vector<generate::Ask> asks = asks_of(config, options.build);
  const fs::path folder = fs::path(options.out) / config.run;
  if (options.dry_run) {
    const generate::Plan plan = generate::plan_of(config, asks);
    const bool may_end_early = config.strategy != generate::StrategyChoice();
    fmt::print("{}{} requests to {} for {} tasks in {}, {} samples each; about {} tokens of {}prompts\n", may_end_early ? "up to " : "",
               plan.requests, config.sampling.model, asks.size(), config.backend, config.samples, plan.prompt_bytes / 4,
               may_end_early ? "first " : "");
    return 0;
  }
  std::unique_ptr<generate::Model> model;
  if (options.replay.empty()) model = std::make_unique<generate::Client>(config.endpoint, config.sampling);
  else model = std::make_unique<generate::Replay>(options.replay);
  generate::Run run(config, std::move(asks), folder, ASSAY_VERSION);
  ProgressLine line;
  const std::unique_ptr<generate::Judge> judge = judge_for(config, options);
  const generate::Totals totals = run.ask(
      *model, options.limit, {[&](const auto& now) { line.show(now); }, [&](const std::string& text) { line.say(text); }}, judge.get());
  line.end();
  fmt::print("{}: {}\n", folder.string(), progress_text(totals));
  if (totals.answered < totals.wanted) fmt::print("{} left: the same command asks for them\n", totals.wanted - totals.answered);
  fmt::print("{}", generate::trajectory_text(run.trajectories()));
  return totals.unjudged > 0 ? 3 : totals.failed > 0 ? 1 : 0;
}

}  // namespace

static void add_generate_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<GenerateOptions>();
  CLI::App* command = app.add_subcommand("generate", "ask a model for candidates, into generated/<run>");
  command->footer(
      "docs/generate.md describes the configuration. Called again, it asks for what is missing.\nExit codes: 0 all answered, 1 requests "
      "failed, 2 bad input, no key, or a server that refuses, 3 answers could not be judged.");
  command->add_option("config", options->config, "YAML: run, provider, model, sampling, limits, ...")->type_name("FILE");
  command->add_option("--run", options->run, "name of the run");
  command->add_option("--provider", options->provider, "a known server: openai, vllm, ...");
  command->add_option("--model", options->model, "name of the model there");
  command->add_option("--backend", options->backend, "backend of the candidates");
  add_prompt_options(*command, options->prompt);
  command->add_option("--task", options->tasks, "only this task (repeatable)")->allow_extra_args(false);
  command->add_option("--suite", options->suites, "only the tasks of this suite (repeatable)")->allow_extra_args(false);
  command->add_option("--samples", options->samples, "candidates for each task")->check(CLI::Range(1, 1000));
  command->add_option("--temperature", options->temperature, "of the sampling");
  command->add_option("--concurrency", options->concurrency, "requests at a time")->check(CLI::Range(1, 1024));
  command->add_option("--limit", options->limit, "ask so many requests and stop")->check(CLI::PositiveNumber);
  command->add_flag("--dry-run", options->dry_run, "say what would be asked");
  command->add_option("--replay", options->replay, "a recorded run's folder: its answers, without a network")->type_name("FOLDER");
  command->add_option("--out", options->out, "folder of runs")->capture_default_str();
  command->add_option("--build", options->build, "configured build folder")->capture_default_str();
  command->callback([options, &exit_code] { exit_code = generate_candidates(*options); });
}
static const bool generate_defined = define_command("generate", add_generate_command);

}  // namespace assay::command
