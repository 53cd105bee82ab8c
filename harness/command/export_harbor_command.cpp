// SPDX-License-Identifier: Apache-2.0
// `assay export harbor`: tasks as folders that Harbor runs, and what reads its format. They are judged by `assay serve`, outside of the
// agent's container.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "assay/plan/plan.h"
#include "assay/score/scorer.h"
#include "assay/spec/launch.h"
#include "assay/spec/nearest.h"
#include "assay/spec/whole_file.h"
#include "commands.h"
#include "score_options.h"
#include "task_argument.h"

namespace assay::command {
namespace {

namespace fs = std::filesystem;

struct HarborOptions {
  std::string build = "build/evaluate", out, backend = "cpp", reward = "correct", server = "http://host.docker.internal:8011";
  std::vector<std::string> tasks, suites;
  double deadline = 600;
};

constexpr const char* kTestScript = R"sh(#!/bin/sh
# Asks `assay serve` for the reward of the answer. Where there is none, and it is not the answer's fault, no reward is written: the trial fails.
set -eu
mkdir -p "${{REWARD_FOLDER:=/logs/verifier}}"
export REWARD_FOLDER
exec python3 - <<'PYTHON'
import json, os, pathlib, sys, urllib.error, urllib.request

answer = pathlib.Path(os.environ.get("ANSWER", "/app/{file}"))
sample = {{"task": "{task}", "backend": "{backend}", "reward": "{reward}", "deadline_s": {deadline:g},
          "source": answer.read_bytes()[:(1 << 20) + 1].decode(errors="replace") if answer.is_file() else ""}}
request = urllib.request.Request(os.environ.get("ASSAY_SERVER", "{server}") + "/score", json.dumps(sample).encode(), {{"Content-Type": "application/json"}})
if os.environ.get("ASSAY_TOKEN"):
    request.add_header("Authorization", "Bearer " + os.environ["ASSAY_TOKEN"])
folder = pathlib.Path(os.environ["REWARD_FOLDER"])
try:
    with urllib.request.urlopen(request, timeout={timeout:g}) as response:
        judged = json.load(response)
except urllib.error.HTTPError as error:
    if error.code != 400:
        sys.exit(f"assay serve: status {{error.code}}: {{error.read().decode()}}")
    judged = {{"reward": 0.0, "masked": False, "parts": {{}}, "refused": error.read().decode()}}  # a source that is too large
(folder / "assay.json").write_text(json.dumps(judged, indent=1))
if judged["masked"]:
    sys.exit("masked: " + judged.get("masked_because", ""))
(folder / "reward.json").write_text(json.dumps({{"reward": judged["reward"], **judged["parts"]}}))
PYTHON
)sh";

constexpr const char* kDockerfile = R"(FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends g++ python3 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY kernel.h /app/kernel.h
)";

std::string quoted(const std::string& text) { return fmt::format("\"{}\"", text); }

std::string task_toml(const score::TaskInfo& task, const HarborOptions& options) {
  std::vector<std::string> tags = {quoted(task.category), quoted(options.backend)};
  for (const std::string& suite : task.suites) tags.push_back(quoted(suite));
  const char* difficulty = task.difficulty <= 2 ? "easy" : task.difficulty <= 3 ? "medium" : "hard";
  return fmt::format(
      "version = \"1.0\"\n\n[metadata]\nauthor_name = \"KernelAssay\"\ndifficulty = \"{}\"\ncategory = \"programming\"\ntags = [{}]\n\n"
      "[verifier]\ntimeout_sec = {:.1f}\n\n[verifier.env]\nASSAY_SERVER = \"{}\"\nASSAY_TOKEN = \"${{ASSAY_TOKEN:-}}\"\n\n"
      "[agent]\ntimeout_sec = 3600.0\n\n[environment]\nbuild_timeout_sec = 600.0\n",
      difficulty, fmt::join(tags, ", "), 4 * options.deadline, options.server);
}

std::string instruction(const std::string& prompt, const std::string& file) {
  return prompt + fmt::format(
                      "\n## Where the answer goes\n\nWrite the whole source to `/app/{}`, in place of printing it. `/app/kernel.h` is the "
                      "header. What is in "
                      "that file when you end is compiled and tested elsewhere.\n",
                      file);
}

void export_task(const score::TaskInfo& task, const plan::Toolchain& toolchain, const HarborOptions& options) {
  const fs::path folder = fs::path(options.out) / task.name;
  const std::string file = task.name + toolchain.suffix;
  const spec::Task loaded = spec::load_task(find_task(task.name, options.build));
  const auto write = [&](const fs::path& name, const std::string& text) {
    fs::create_directories((folder / name).parent_path());
    spec::write_whole_file("export", folder / name, text);
  };
  write("instruction.md", instruction(prompt_in_build(task.name, options.backend, options.build, {}), file));
  write("task.toml", task_toml(task, options));
  write("environment/Dockerfile", kDockerfile);
  write("environment/kernel.h",
        toolchain.launches() ? spec::launch_header(loaded, toolchain.types) : spec::kernel_header(loaded, toolchain.types));
  write("tests/test.sh",
        fmt::format(fmt::runtime(kTestScript), fmt::arg("file", file), fmt::arg("task", task.name), fmt::arg("backend", options.backend),
                    fmt::arg("reward", options.reward), fmt::arg("deadline", options.deadline), fmt::arg("server", options.server),
                    fmt::arg("timeout", 4 * options.deadline - 10)));
  fs::permissions(folder / "tests/test.sh", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec, fs::perm_options::add);
}

void export_harbor(const HarborOptions& options) {
  if (score::find_reward(options.reward) == nullptr) throw std::runtime_error(fmt::format("export: unknown reward '{}'", options.reward));
  for (const char c : options.server)
    if (c <= ' ' || c > '~' || c == '"' || c == '\\' || c == '{' || c == '}')
      throw std::runtime_error(fmt::format("export: --server is no address: '{}'", options.server));
  const plan::Toolchain toolchain = plan::load_toolchain(find_toolchain(options.build, options.backend));
  if (toolchain.is_program())
    throw std::runtime_error(
        "export: harbor: problems with tests of their own have no kernel.h to start from. do: choose the backend of a kernel, or `assay "
        "serve`");
  const auto is_in = [](const std::vector<std::string>& list, const std::string& name) {
    return std::ranges::find(list, name) != list.end();
  };
  const std::vector<score::TaskInfo> all = score::listed_tasks(options.build);
  for (const std::string& name : options.tasks)
    if (std::ranges::find(all, name, &score::TaskInfo::name) == all.end()) {
      std::vector<std::string> known;
      for (const score::TaskInfo& task : all) known.push_back(task.name);
      throw std::runtime_error(fmt::format("export: {} has no task '{}'{}", options.build, name, spec::did_you_mean(name, known)));
    }
  int count = 0;
  for (const score::TaskInfo& task : all) {
    const bool wanted = (options.tasks.empty() && options.suites.empty()) || is_in(options.tasks, task.name) ||
                        std::ranges::any_of(task.suites, [&](const std::string& suite) { return is_in(options.suites, suite); });
    if (!wanted || !is_in(task.backends, options.backend)) continue;
    export_task(task, toolchain, options);
    ++count;
  }
  if (count == 0)
    throw std::runtime_error(
        fmt::format("export: no task of {} for {} is chosen. do: check --task and --suite", options.build, options.backend));
  fmt::print("{}: {} tasks\n", options.out, count);
}

}  // namespace

static void add_export_harbor_command(CLI::App& app, int&) {
  auto options = std::make_shared<HarborOptions>();
  CLI::App* harbor = app.get_subcommand("export")->add_subcommand(
      "harbor", "a folder for each task: instruction.md, task.toml, tests/test.sh, which asks assay serve");
  harbor->add_option("--out", options->out, "folder to write to")->required();
  harbor->add_option("--task", options->tasks, "only this task (repeatable)")->allow_extra_args(false);
  harbor->add_option("--suite", options->suites, "only the tasks of this suite (repeatable)")->allow_extra_args(false);
  harbor->add_option("--backend", options->backend, "backend of the answers")->capture_default_str();
  harbor->add_option("--reward", options->reward, "a reward of assay score")->capture_default_str();
  harbor->add_option("--deadline", options->deadline, "seconds that judging may take")
      ->check(CLI::Range(1.0, score::kLongestDeadline))
      ->capture_default_str();
  harbor->add_option("--server", options->server, "where assay serve listens, as the verifier's container sees it")->capture_default_str();
  harbor->add_option("--build", options->build, "configured build folder")->capture_default_str();
  harbor->callback([options] { export_harbor(*options); });
}
// After "export", which comes before it.
static const bool export_harbor_defined = define_command("export harbor", add_export_harbor_command);

}  // namespace assay::command
