// SPDX-License-Identifier: Apache-2.0
#include "assay/plan/plan.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "assay/spec/suite.h"

namespace assay::plan {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int kVersion = 2;

/// json converts a real to an integer without a word, whatever its size.
std::uint64_t whole(const json& from, const char* key, std::uint64_t most) {
  const json& number = from.at(key);
  if (!number.is_number_unsigned() || number.get<std::uint64_t>() - 1 >= most)
    throw std::invalid_argument(fmt::format("{} must be 1 to {}, got {}", key, most, number.dump()));
  return number.get<std::uint64_t>();
}

json parse_text(std::string_view text) {
  json parsed = json::parse(text);
  if (!parsed.is_object()) throw std::invalid_argument("must be a JSON object");
  const auto version = parsed.find("version");
  if (version == parsed.end() || *version != kVersion)
    throw std::invalid_argument(fmt::format("version must be {}, got {}: another KernelAssay wrote it", kVersion,
                                            version == parsed.end() ? "none" : version->dump()));
  return parsed;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (std::error_code error; !in || !fs::is_regular_file(file, error)) throw std::runtime_error("cannot be read");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<fs::path> paths(const json& list) {
  std::vector<fs::path> all;
  for (const json& path : list) all.emplace_back(path.get<std::string>());
  return all;
}

Interface interface_of(const std::string& name) {
  if (name == "function") return Interface::function;
  if (name == "launch_block") return Interface::launch_block;
  if (name == "program") return Interface::program;
  throw std::invalid_argument(fmt::format("unknown interface '{}'. known: function launch_block program", name));
}

Toolchain read_toolchain(const json& from) {
  Toolchain toolchain;
  from.at("backend").get_to(toolchain.backend);
  from.at("suffix").get_to(toolchain.suffix);
  toolchain.interface = interface_of(from.at("interface").get<std::string>());
  toolchain.box = from.at("box").get<std::string>();
  from.at("compile").get_to(toolchain.compile);
  toolchain.readable = paths(from.at("readable"));
  from.at("memory").get_to(toolchain.memory);
  toolchain.driver = paths(from.at("driver"));
  from.at("devices").get_to(toolchain.devices);
  from.at("environment").get_to(toolchain.environment);
  toolchain.libraries = paths(from.at("libraries"));
  from.at("types").get_to(toolchain.types.names);
  from.at("headers").get_to(toolchain.types.headers);
  from.at("stream").get_to(toolchain.types.stream);
  return toolchain;
}

DeclaredTask read_task(const json& from) {
  constexpr std::uint64_t kMostLimit = 1 << 20;  // so that no sum of them overflows
  DeclaredTask task;
  from.at("task").get_to(task.name);
  from.at("category").get_to(task.category);
  task.difficulty = static_cast<int>(whole(from, "difficulty", 5));
  from.at("suites").get_to(task.suites);
  task.task_yaml = from.at("task_yaml").get<std::string>();
  task.task_yaml.library = from.value("harness", "");
  task.cases = from.at("cases").get<std::string>();
  task.time_limit = std::chrono::seconds(whole(from, "time_limit", kMostLimit));
  task.memory_limit = whole(from, "memory_limit", kMostLimit) << 20;
  return task;
}

std::optional<Framework> read_framework(const json& from) {
  const auto found = from.find("framework");
  if (found == from.end()) return {};
  const json& framework = *found;
  return Framework{framework.at("name"),    framework.at("reads"),           framework.at("types"),
                   framework.at("command"), paths(framework.at("readable")), framework.at("cuda"),
                   framework.at("compiles")};
}

Settings read_settings(const json& from) {
  Settings settings;
  settings.compiler = from.at("compiler").get<std::string>();
  settings.judge = from.at("judge").get<std::string>();
  settings.baseline = from.at("baseline").get<std::string>();
  settings.framework = read_framework(from);
  settings.escape = from.at("escape").get<std::string>();
  settings.sandbox = from.at("sandbox").get<std::string>();
  settings.machine = from.at("machine").get<std::string>();
  from.at("require_tier").get_to(settings.require_tier);
  from.at("effort").get_to(settings.effort);
  from.at("shapes").get_to(settings.shapes);
  from.at("cache").get_to(settings.cache);
  from.at("profile").get_to(settings.profile);
  return settings;
}

/// What `read` returns; a failure of it names `file`.
template <class Read>
auto reading(const fs::path& file, Read read) try {
  return read();
} catch (const std::exception& error) {
  throw std::runtime_error(fmt::format("plan {}: {}. do: configure again", file.string(), error.what()));
}

/// The member `key` of the plan of `file`: an object, or the path of the file that holds it, which is then added to `files`.
template <class Read>
auto part(const json& plan, const char* key, const fs::path& file, std::vector<fs::path>& files, Read read) {
  const json member = reading(file, [&] { return plan.at(key); });
  if (member.is_object()) return reading(file, [&] { return read(member); });
  files.emplace_back(reading(file, [&] { return member.get<std::string>(); }));
  return reading(files.back(), [&] { return read(parse_text(text_of(files.back()))); });
}

}  // namespace

Toolchain load_toolchain(const fs::path& file) {
  return reading(file, [&] { return read_toolchain(parse_text(text_of(file))); });
}

Plan load_plan(const fs::path& file) {
  return parse_plan(reading(file, [&] { return text_of(file); }), file);
}

fs::path Plan::suite_of_shapes() const {
  if (toolchain.is_program() || settings.shapes == "cpu" || settings.shapes == "gpu") return {};
  const fs::path file = spec::suite_file(task.task_yaml, settings.shapes);
  return fs::exists(file) ? file : fs::path();
}

Plan parse_plan(std::string_view text, const fs::path& file) {
  Plan plan;
  plan.files = {file};
  const json parsed = reading(file, [&] { return parse_text(text); });
  reading(file, [&] {
    plan.context = paths(parsed.at("context"));
    plan.stub = parsed.at("stub").get<std::string>();
    plan.verbatim = parsed.value("verbatim", false);
    plan.has_bench = parsed.value("bench", true);
  });
  plan.toolchain = part(parsed, "toolchain", file, plan.files, read_toolchain);
  plan.task = part(parsed, "task", file, plan.files, read_task);
  plan.settings = part(parsed, "settings", file, plan.files, read_settings);
  if (plan.toolchain.interface == Interface::function && plan.context.empty())
    throw std::runtime_error(fmt::format("plan {}: context is empty. do: configure again", file.string()));
  return plan;
}

}  // namespace assay::plan
