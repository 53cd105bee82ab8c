// SPDX-License-Identifier: Apache-2.0
#include "task_argument.h"

#include <fmt/format.h>

#include <stdexcept>

#include "assay/trial/plan.h"

namespace assay {
namespace fs = std::filesystem;

fs::path find_plan(const fs::path& build, const std::string& task, const std::string& backend) {
  const fs::path plan = build / "kernelassay" / task / (backend + ".plan.json");
  if (fs::exists(plan)) return plan;
  throw std::runtime_error(
      fmt::format("{} is not there. do: check the names of task and backend, and that --build "
                  "names a configured build folder",
                  plan.string()));
}

fs::path find_task(const std::string& task, const fs::path& build) {
  if (fs::is_regular_file(task)) return task;
  if (fs::is_regular_file(fs::path(task) / "task.yaml")) return fs::path(task) / "task.yaml";
  const fs::path plans = build / "kernelassay" / task;
  if (fs::is_directory(plans))
    for (const auto& entry : fs::directory_iterator(plans))
      if (entry.path().string().ends_with(".plan.json")) return trial::load_plan(entry.path()).task_yaml;
  throw std::runtime_error(
      fmt::format("'{}' is no task. do: give a task.yaml, its folder, or the name of a task that the build "
                  "folder {} knows (--build)",
                  task, build.string()));
}

}  // namespace assay
