// SPDX-License-Identifier: Apache-2.0
#include "family.h"

#include <fmt/format.h>

#include <algorithm>

#include "assay/spec/name.h"
#include "assay/spec/nearest.h"
#include "assay/spec/tensor_type.h"

namespace assay::spec {
namespace {

const char* const kPlain = "plain";
const char* const kUnnamedType = "float";

/// CMake takes the names from lines "  <name>: ...", and these keys from the same line.
void require_lines(const YamlFile& file, const YAML::Node& group, const std::string& who) {
  if (!group.IsMap()) file.fail(group, fmt::format("{}: must be a mapping of names to what they say", who));
  for (const auto& entry : group) {
    const std::string name = file.key(entry.first);
    if (!is_name(name)) file.fail(entry.first, fmt::format("{}: name '{}' must match [a-z][a-z0-9_]*", who, name));
    if (entry.first.Mark().column != 2)
      file.fail(entry.first, fmt::format("{}: '{}' must stand on a line of its own, two spaces from its beginning", who, name));
    if (!entry.second.IsMap()) file.fail(entry.second, fmt::format("{}: {}: must be a mapping, like {{op: Cos}}", who, name));
    for (const auto& said : entry.second) {
      const std::string key = file.key(said.first);
      const bool is_read = key == "difficulty" || key == "suites" || key == "degenerate" || key == "types" || key == "variants";
      if (is_read && said.first.Mark().line != entry.first.Mark().line)
        file.fail(said.first, fmt::format("{}: {}: '{}' must stand on the line of '{}'", who, name, key, name));
      if ((key == "types" || key == "variants") && !said.second.IsSequence())
        file.fail(said.second, fmt::format("{}: {}: '{}' must be a list, like [a, b]", who, name, key));
    }
  }
}

std::vector<std::string> list(const YamlFile& file, const YAML::Node& task, const char* key, const std::vector<std::string>& all) {
  if (!task[key]) return all;
  const std::vector<std::string> chosen = file.texts(task[key], key);
  if (chosen.empty()) file.fail(task[key], fmt::format("{}: names none", key));
  for (const std::string& one : chosen)
    if (std::ranges::find(all, one) == all.end())
      file.fail(task[key], fmt::format("{}: the family has no '{}'{}", key, one, did_you_mean(one, all)));
  return chosen;
}

std::vector<std::string> types_of(const YamlFile& file) {
  const YAML::Node types = file.root()["types"];
  if (!types) return {""};
  if (types.Mark().column != 7 || types.Mark().line != types.begin()->Mark().line)
    file.fail(types, "types: must be one line, like 'types: [float, bfloat16]'");
  std::vector<std::string> all = file.texts(types, "types");
  for (const std::string& type : all)
    if (element_type_named(type) == nullptr) file.fail(types, fmt::format("types: unknown type '{}'", type));
  return all;
}

}  // namespace

bool is_family(const YamlFile& file) { return file.root()["tasks"].IsDefined(); }

std::vector<Member> members(const YamlFile& file) {
  const YAML::Node tasks = file.root()["tasks"], variants = file.root()["variants"];
  require_lines(file, tasks, "tasks");
  std::vector<std::string> variant_names = {kPlain};
  if (variants) {
    require_lines(file, variants, "variants");
    variant_names.clear();
    for (const auto& entry : variants) variant_names.push_back(file.key(entry.first));
  }
  const std::vector<std::string> types = types_of(file);
  std::vector<Member> all;
  for (const auto& entry : tasks)
    for (const std::string& variant : list(file, entry.second, "variants", variant_names))
      for (const std::string& type : list(file, entry.second, "types", types)) {
        std::string name = file.key(entry.first);
        if (variant != kPlain) name += "_" + variant;
        if (!type.empty() && type != kUnnamedType) name += "_" + type;
        if (std::ranges::find(all, name, &Member::name) != all.end())
          file.fail(entry.first, fmt::format("tasks: two are called '{}'. do: give one of them another name", name));
        all.push_back({name, type, entry.first, entry.second, variants ? variants[variant] : YAML::Node(YAML::NodeType::Map)});
      }
  if (all.empty()) file.fail(tasks, "tasks: there is none");
  return all;
}

void speak_for(YamlFile& family, const Member& member, const std::vector<std::string>& keys) {
  std::map<std::string, std::string> variables{{"task", member.name}};
  if (!member.type.empty()) variables["type"] = member.type;
  for (const YAML::Node& said : {member.task, member.variant})
    for (const auto& entry : said) {
      const std::string key = family.key(entry.first);
      if (key == "types" || key == "variants" || std::ranges::find(keys, key) != keys.end()) continue;
      if (!is_name(key) || key == "task" || key == "type") family.fail(entry.first, fmt::format("'{}' cannot be a variable's name", key));
      if (!entry.second.IsScalar()) family.fail(entry.second, fmt::format("'{}' is no key of a task: it must be a text", key));
      variables[key] = entry.second.Scalar();
    }
  family.expand(member.key, std::move(variables));
}

YAML::Node said_of(const YamlFile& family, const Member& member, const std::string& key) {
  for (const YAML::Node& said : {member.variant, member.task})
    if (said[key]) return said[key];
  return family.root()[key];
}

void become_member(YamlFile& file, const std::string& name, const std::vector<std::string>& keys) {
  if (!is_family(file)) file.fail(file.root(), fmt::format("is no family, and has no task '{}'. do: leave out #{}", name, name));
  const std::vector<Member> all = members(file);
  if (name.empty())
    file.fail(file.root(), fmt::format("is a family of tasks. do: name one of them, like {}#{}", file.path(), all.front().name));
  const auto member = std::ranges::find(all, name, &Member::name);
  if (member == all.end()) {
    std::vector<std::string> names;
    for (const Member& one : all) names.push_back(one.name);
    file.fail(file.root(), fmt::format("the family has no task '{}'{}", name, did_you_mean(name, names)));
  }
  speak_for(file, *member, keys);
  YAML::Node root(YAML::NodeType::Map);
  const auto is_read = [&](const std::string& key) { return key != "tasks" && key != "types" && key != "variants"; };
  for (const YAML::Node& said : {file.root(), member->task, member->variant})
    for (const auto& entry : said)
      if (const std::string key = file.key(entry.first);
          is_read(key) && (said.is(file.root()) || std::ranges::find(keys, key) != keys.end()))
        root[key] = entry.second;
  file.read_from(root);
}

}  // namespace assay::spec
