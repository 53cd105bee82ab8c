// SPDX-License-Identifier: Apache-2.0
#include "assay/plan/confinement.h"

#include <fmt/format.h>
#include <glob.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "assay/spec/whole_file.h"

namespace assay::plan {

namespace fs = std::filesystem;
using nlohmann::json;
using sandbox::Layers, sandbox::OfferedLayers;

namespace {

json written(const Layers& layers) { return {{"namespaces", layers.namespaces}, {"landlock", layers.landlock}, {"filter", layers.filter}}; }

Layers read_layers(const json& in) { return {in.at("namespaces"), in.at("landlock"), in.at("filter")}; }

/// Empty where there is no such file.
std::string first_line(const char* file) {
  std::string line;
  std::getline(std::ifstream(file), line);
  return line;
}

/// What the offer depends on: this boot of this kernel, what an administrator allows, this user and user namespace, this program.
json circumstances(const fs::path& escape) {
  std::error_code error;
  json under = {{"user", geteuid()},
                {"namespace", fs::read_symlink("/proc/self/ns/user", error).string()},
                {"escape", fs::last_write_time(escape, error).time_since_epoch().count()}};
  for (const char* file : {"/proc/sys/kernel/random/boot_id", "/proc/sys/user/max_user_namespaces",
                           "/proc/sys/kernel/unprivileged_userns_clone", "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"})
    under[file] = first_line(file);
  return under;
}

std::optional<OfferedLayers> read_offer(const fs::path& file, const json& expected) {
  const auto stored = json::parse(std::ifstream(file), nullptr, false);
  if (!stored.is_object() || !stored.contains("under") || stored["under"] != expected) return {};
  try {
    OfferedLayers offer{read_layers(stored.at("layers")), {}};
    for (const json& refused : stored.at("refused"))
      offer.refused.push_back({read_layers(refused.at("layers")), refused.at("why").get<std::string>()});
    return offer;
  } catch (const json::exception&) {
    return {};
  }
}

/// Where it cannot be kept, the next process probes again.
void keep_offer(const OfferedLayers& offer, const fs::path& file, const json& under) {
  json refused = json::array();
  for (const sandbox::RefusedLayers& each : offer.refused) refused.push_back({{"layers", written(each.layers)}, {"why", each.why}});
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  try {
    spec::write_whole_file("sandbox", file, json{{"under", under}, {"layers", written(offer.layers)}, {"refused", refused}}.dump(1) + '\n');
  } catch (const std::runtime_error&) {
  }
}

}  // namespace

OfferedLayers offered_layers(const fs::path& escape, const fs::path& file) {
  const json under = circumstances(escape);
  if (auto known = read_offer(file, under)) return *known;
  const OfferedLayers offer = sandbox::probe_layers(escape);
  keep_offer(offer, file, under);
  return offer;
}

void require_tier(const OfferedLayers& offer, std::string_view required, std::string_view who) {
  if (required.empty()) return;
  const auto tier = record::tier_named(required);
  if (!tier) throw std::runtime_error(fmt::format("{}: unknown sandbox tier '{}'. known: {}", who, required, record::known_tiers()));
  if (sandbox::tier_of(offer.layers) >= *tier) return;
  std::string why;
  for (const sandbox::RefusedLayers& refused : offer.refused)
    why += fmt::format(" {}: {}.", sandbox::to_string(refused.layers), refused.why);
  throw WeakerTier(fmt::format("{}: needs the sandbox tier {}, got {}.{} do: see `assay doctor`", who, required,
                               name(sandbox::tier_of(offer.layers)), why));
}

PassedEnvironment passed_environment(const Toolchain& toolchain) {
  PassedEnvironment passed;
  for (const std::string& name : toolchain.environment) {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') continue;
    passed.variables.push_back(fmt::format("{}={}", name, value));
    std::istringstream list(value);
    for (std::string path; std::getline(list, path, ':');)
      if (fs::path(path).is_absolute()) passed.readable.emplace_back(path);
  }
  return passed;
}

std::vector<fs::path> device_files(const Toolchain& toolchain) {
  std::vector<fs::path> files;
  for (const std::string& pattern : toolchain.devices) {
    glob_t found{};
    if (glob(pattern.c_str(), 0, nullptr, &found) == 0) files.insert(files.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
  }
  return files;
}

Layers confinement(const Settings& settings) {
  static const OfferedLayers offer = offered_layers(settings.escape, settings.sandbox);
  require_tier(offer, settings.require_tier, "sandbox");
  return offer.layers;
}

}  // namespace assay::plan
