// SPDX-License-Identifier: Apache-2.0
#include "catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "assay/score/sample.h"
#include "assay/spec/nearest.h"

namespace assay::score {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kPlan = ".plan.json";

TaskInfo read_listed(const fs::path& folder) try {
  const auto json = nlohmann::json::parse(std::ifstream(folder / "task.json"));
  TaskInfo task{json.at("task"), json.at("category"), json.at("difficulty"), json.at("suites"), {}};
  for (const auto& entry : fs::directory_iterator(folder))
    if (const std::string file = entry.path().filename(); file.ends_with(kPlan))
      task.backends.push_back(file.substr(0, file.size() - kPlan.size()));
  std::ranges::sort(task.backends);
  return task;
} catch (const nlohmann::json::exception& error) {
  throw std::runtime_error(fmt::format("{}: {}. do: configure again", (folder / "task.json").string(), error.what()));
}

}  // namespace

Catalogue::Catalogue(fs::path build) : build_(fs::absolute(std::move(build)).lexically_normal()) {
  const fs::path root = build_ / "kernelassay";
  if (!fs::is_directory(root))
    throw std::runtime_error(
        fmt::format("{} is no build folder of KernelAssay. do: name a configured one with --build, or build first", build_.string()));
  for (const auto& entry : fs::directory_iterator(root)) {
    if (!fs::exists(entry.path() / "task.json")) continue;
    TaskInfo task = read_listed(entry.path());
    if (!task.backends.empty()) tasks_.emplace(task.name, std::move(task));
  }
  if (tasks_.empty()) throw std::runtime_error(fmt::format("{} knows no task. do: configure it", build_.string()));
}

void Catalogue::require(const std::string& task, const std::string& backend) const {
  const auto found = tasks_.find(task);
  if (found == tasks_.end()) {
    std::vector<std::string> known;
    for (const auto& [name, listed] : tasks_) known.push_back(name);
    throw SampleError(fmt::format("sample: unknown task '{}'{}", task, spec::did_you_mean(task, known)));
  }
  const std::vector<std::string>& backends = found->second.backends;
  if (std::ranges::find(backends, backend) == backends.end())
    throw SampleError(fmt::format("sample: the task {} takes no candidates of backend '{}'{}. known: {}", task, backend,
                                  spec::did_you_mean(backend, backends), fmt::join(backends, " ")));
}

fs::path Catalogue::plan(const std::string& task, const std::string& backend) const {
  return build_ / "kernelassay" / task / (backend + std::string(kPlan));
}

}  // namespace assay::score
