// SPDX-License-Identifier: Apache-2.0
#include "task_argument.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "assay/plan/plan.h"
#include "assay/spec/nearest.h"

namespace assay {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view plan_suffix = ".plan.json";

void require_configured(const fs::path& build) {
  if (!fs::is_directory(build / "kernelassay"))
    throw std::runtime_error(
        fmt::format("{} is no build folder of KernelAssay. do: configure it, or name another one with --build", build.string()));
}

std::vector<std::string> known_backends(const fs::path& task) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(task))
    if (std::string name = entry.path().filename().string(); name.ends_with(plan_suffix)) {
      name.resize(name.size() - plan_suffix.size());
      names.push_back(std::move(name));
    }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> known_tasks(const fs::path& build) {
  std::vector<std::string> names;
  if (!fs::is_directory(build / "kernelassay")) return names;
  for (const auto& entry : fs::directory_iterator(build / "kernelassay"))
    if (entry.is_directory() && !known_backends(entry.path()).empty()) names.push_back(entry.path().filename().string());
  return names;
}

}  // namespace

fs::path find_plan(const fs::path& build, const std::string& task, const std::string& backend) {
  const fs::path plan = build / "kernelassay" / task / (backend + ".plan.json");
  if (fs::exists(plan)) return plan;
  require_configured(build);
  const std::vector<std::string> tasks = known_tasks(build);
  if (std::ranges::find(tasks, task) == tasks.end())
    throw std::runtime_error(fmt::format("{} has no task '{}'{}", build.string(), task, did_you_mean(task, tasks)));
  const std::vector<std::string> backends = known_backends(build / "kernelassay" / task);
  throw std::runtime_error(fmt::format("{} has no backend '{}'{}. known: {}", build.string(), backend, did_you_mean(backend, backends),
                                       fmt::join(backends, " ")));
}

TaskFile find_task(const std::string& task, const fs::path& build) {
  if (TaskFile from(task); fs::is_regular_file(from.file)) return from;
  if (fs::is_regular_file(fs::path(task) / "task.yaml")) return fs::path(task) / "task.yaml";
  const fs::path plans = build / "kernelassay" / task;
  if (fs::is_directory(plans))
    for (const auto& entry : fs::directory_iterator(plans))
      if (entry.path().string().ends_with(".plan.json")) return plan::load_plan(entry.path()).task.task_yaml;
  throw std::runtime_error(
      fmt::format("'{}' is no task{}. do: give a task.yaml, its folder, <family>.yaml#<name>, or the name of a task that the build "
                  "folder {} knows (--build)",
                  task, did_you_mean(task, known_tasks(build)), build.string()));
}

}  // namespace assay
