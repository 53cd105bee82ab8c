// SPDX-License-Identifier: Apache-2.0
#include "assay/trial/plan.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace assay::trial {
namespace {

/// json converts a real to an integer without a word, whatever its size.
int difficulty_of(const nlohmann::json& number) {
  if (!number.is_number_unsigned() || number.get<std::uint64_t>() - 1 > 4)
    throw std::invalid_argument(fmt::format("difficulty must be 1 to 5, got {}", number.dump()));
  return number.get<int>();
}

std::uint64_t positive(const nlohmann::json& plan, const char* key) {
  const nlohmann::json& number = plan.at(key);
  constexpr std::uint64_t kMost = 1 << 20;  // so that no sum of them overflows
  if (!number.is_number_unsigned() || number.get<std::uint64_t>() - 1 >= kMost)
    throw std::invalid_argument(fmt::format("{} must be 1 to {}, got {}", key, kMost, number.dump()));
  return number.get<std::uint64_t>();
}

}  // namespace

Plan load_plan(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(fmt::format("plan {}: cannot be read. do: configure and build first", file.string()));
  std::ostringstream text;
  text << in.rdbuf();
  return parse_plan(text.view(), file);
}

Plan parse_plan(std::string_view text, const std::filesystem::path& file) {
  try {
    const auto json = nlohmann::json::parse(text);
    Plan plan;
    json.at("task").get_to(plan.task);
    json.at("category").get_to(plan.category);
    json.at("backend").get_to(plan.backend);
    json.at("suffix").get_to(plan.suffix);
    plan.difficulty = difficulty_of(json.at("difficulty"));
    json.at("suites").get_to(plan.suites);
    plan.task_yaml = json.at("task_yaml").get<std::string>();
    plan.cases = json.at("cases").get<std::string>();
    plan.machine = json.at("machine").get<std::string>();
    for (const auto& path : json.at("context")) plan.context.emplace_back(path.get<std::string>());
    plan.stub = json.at("stub").get<std::string>();
    json.at("compile").get_to(plan.compile);
    json.at("launches").get_to(plan.launches);
    for (const auto& path : json.at("readable")) plan.readable.emplace_back(path.get<std::string>());
    json.at("devices").get_to(plan.devices);
    json.at("environment").get_to(plan.environment);
    plan.box = json.at("box").get<std::string>();
    plan.baseline = json.at("baseline").get<std::string>();
    for (const auto& path : json.at("libraries")) plan.libraries.emplace_back(path.get<std::string>());
    plan.escape = json.at("escape").get<std::string>();
    plan.sandbox = json.at("sandbox").get<std::string>();
    json.at("require_tier").get_to(plan.require_tier);
    json.at("effort").get_to(plan.effort);
    json.at("shapes").get_to(plan.shapes);
    json.at("cache").get_to(plan.cache);
    plan.time_limit = std::chrono::seconds(positive(json, "time_limit"));
    plan.memory_limit = positive(json, "memory_limit") << 20;
    json.at("profile").get_to(plan.profile);
    return plan;
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("plan {}: {}. do: configure again", file.string(), error.what()));
  }
}

}  // namespace assay::trial
