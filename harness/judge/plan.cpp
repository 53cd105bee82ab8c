// SPDX-License-Identifier: Apache-2.0
#include "assay/judge/plan.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace assay {

Plan load_plan(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(fmt::format("plan {}: cannot be read. do: configure and build first", file.string()));
  try {
    const auto json = nlohmann::json::parse(in);
    Plan plan;
    json.at("task").get_to(plan.task);
    json.at("category").get_to(plan.category);
    json.at("backend").get_to(plan.backend);
    json.at("suffix").get_to(plan.suffix);
    json.at("difficulty").get_to(plan.difficulty);
    json.at("suites").get_to(plan.suites);
    plan.task_yaml = json.at("task_yaml").get<std::string>();
    plan.cases = json.at("cases").get<std::string>();
    plan.machine = json.at("machine").get<std::string>();
    for (const auto& path : json.at("context")) plan.context.emplace_back(path.get<std::string>());
    plan.stub = json.at("stub").get<std::string>();
    json.at("compile").get_to(plan.compile);
    for (const auto& path : json.at("readable")) plan.readable.emplace_back(path.get<std::string>());
    plan.box = json.at("box").get<std::string>();
    plan.baseline = json.at("baseline").get<std::string>();
    json.at("effort").get_to(plan.effort);
    json.at("cache").get_to(plan.cache);
    json.at("profile").get_to(plan.profile);
    return plan;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("plan {}: {}. do: configure again", file.string(), error.what()));
  }
}

}  // namespace assay
