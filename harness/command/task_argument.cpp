// SPDX-License-Identifier: Apache-2.0
#include "task_argument.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "assay/plan/plan.h"
#include "assay/problem/problem_folder.h"
#include "assay/record/printable.h"
#include "assay/spec/nearest.h"
#include "assay/spec/suite.h"

namespace assay::command {
namespace fs = std::filesystem;

namespace {

using spec::TaskFile;

void require_configured(const fs::path& build) {
  if (!fs::is_directory(build / "kernelassay"))
    throw std::runtime_error(
        fmt::format("{} is no build folder of KernelAssay. do: configure it, or name another one with --build", build.string()));
}

/// The names of entries <name><suffix> of `folder`.
std::vector<std::string> names_with(const fs::path& folder, const std::string& suffix) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (std::string name = entry.path().filename().string(); name.ends_with(suffix))
      names.push_back(name.substr(0, name.size() - suffix.size()));
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> known_tasks(const fs::path& build) {
  std::vector<std::string> names;
  if (!fs::is_directory(build / "kernelassay")) return names;
  for (const auto& entry : fs::directory_iterator(build / "kernelassay"))
    if (fs::exists(entry.path() / "task.json")) names.push_back(entry.path().filename().string());
  return names;
}

/// What the sources in the task's folder harness/ have become in `build`, where it knows the task.
TaskFile with_library(TaskFile from, const fs::path& build) {
  const std::string name = from.member.empty() ? fs::absolute(from.file).lexically_normal().parent_path().filename().string() : from.member;
  const fs::path declared = build / "kernelassay" / name;
  if (!fs::is_directory(spec::harness_folder(from)) || !fs::is_directory(declared)) return from;
  for (const std::string& backend : names_with(declared, ".plan.json")) {
    const TaskFile known = plan::load_plan(declared / (backend + ".plan.json")).task.task_yaml;
    if (fs::weakly_canonical(known.file) == fs::weakly_canonical(from.file)) from.library = known.library;
  }
  return from;
}

}  // namespace

fs::path find_toolchain(const fs::path& build, const std::string& backend) {
  const std::string suffix = ".toolchain.json";
  const fs::path toolchain = build / "kernelassay" / (backend + suffix);
  if (fs::exists(toolchain)) return toolchain;
  require_configured(build);
  const std::vector<std::string> backends = names_with(build / "kernelassay", suffix);
  throw std::runtime_error(fmt::format("{} has no backend '{}'{}. known: {}", build.string(), backend,
                                       spec::did_you_mean(backend, backends), fmt::join(backends, " ")));
}

TaskFile find_task(const std::string& task, const fs::path& build) {
  if (TaskFile from(task); fs::is_regular_file(from.file)) return with_library(from, build);
  if (fs::is_regular_file(fs::path(task) / "task.yaml")) return with_library(fs::path(task) / "task.yaml", build);
  if (fs::path spec = fs::path(task) / "problem-spec.yaml"; fs::is_regular_file(spec)) return spec;
  const fs::path known = build / "kernelassay" / task;
  if (fs::is_directory(known))
    for (const std::string& backend : names_with(known, ".plan.json"))
      return plan::load_plan(known / (backend + ".plan.json")).task.task_yaml;
  throw std::runtime_error(
      fmt::format("'{}' is no task{}. do: give a task.yaml, its folder, <family>.yaml#<name>, or the name of a task that the build "
                  "folder {} knows (--build)",
                  task, spec::did_you_mean(task, known_tasks(build)), build.string()));
}

generate::BackendDescription describe_backend(const plan::Toolchain& toolchain) {
  return {toolchain.backend, toolchain.suffix, toolchain.compile, toolchain.launches(), toolchain.types, toolchain.memory};
}

generate::AnswerForm answer_form(const problem::Problem& problem) {
  if (problem.solution.empty())
    throw std::runtime_error(fmt::format("the problem '{}' has no reference solution, whose files an answer must have. do: leave it out",
                                         record::printable(problem.id)));
  generate::AnswerForm form;
  for (const problem::TextFile& file : problem.solution) form.files.push_back(file.path);
  for (const problem::TextFile& file : problem.context) form.given.push_back(file.path);
  form.suffix = problem::solution_suffix(problem);
  return form;
}

std::string prompt_in_build(const std::string& task, const std::string& backend, const fs::path& build,
                            const generate::PromptChoice& choice) {
  const TaskFile from = find_task(task, build);
  if (problem::is_problem(from.file)) return problem::prompt_for(problem::read_problem(from.file));
  const spec::Task asked = spec::load_task(from);
  const plan::Toolchain toolchain = plan::load_toolchain(find_toolchain(build, backend));
  generate::MachineDescription machine = generate::this_machine();
  if (const fs::path declared = build / "kernelassay" / asked.name / (backend + ".plan.json"); fs::exists(declared))
    machine.seconds = static_cast<int>(plan::load_plan(declared).task.time_limit.count());
  return generate::prompt_for(asked, describe_backend(toolchain), choice, machine, {nullptr, spec::family_of(from)});
}

void add_prompt_options(CLI::App& command, generate::PromptChoice& choice) {
  command
      .add_option("--parts", choice.parts, fmt::format("parts of the prompt: {} (default: all)", fmt::join(generate::prompt_parts(), ",")))
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--template", choice.template_file, "file with {{<part>}}, or a folder of <suite>.md, <backend>.md, default.md");
  command.add_option("--shots", choice.shots, "examples: none, fixed, retrieval:FOLDER, a file, or a folder with <category>.md");
  command
      .add_option("--shot-count", choice.shot_count, fmt::format("examples of a retrieval, at most (default: {})", generate::kShotCount))
      ->check(CLI::Range(1, 100));
}

}  // namespace assay::command
