// SPDX-License-Identifier: Apache-2.0
// A family: one file that declares many tasks, which share whatever they do not say themselves.
//
//   difficulty: 1
//   model: |
//     {task} ({type}[N, C] x) => ({type}[N, C] y) { y = {op}(x) }
//   types: [float, bfloat16]                      cosine, cosine_bfloat16, ...: only float is no part of a name
//   variants: {plain: {}, ...}                    <task>_<variant>; plain is no part of a name
//   tasks:
//     cosine: {op: Cos, summary: "Cosine, element by element", torch: torch.cos(x)}
//
// What a task or a variant says is a key of task.yaml, which replaces the family's, or else a variable: its value takes the place of
// {name} in every text. {task} and {type} are the task's name and its type.
#pragma once

#include <string>
#include <vector>

#include "assay/spec/yaml_reader.h"

namespace assay::spec {

/// A task of a family, by the places that speak of it.
struct Member {
  std::string name, type;
  YAML::Node key, task, variant;  ///< `key`: where the task is named
};

bool is_family(const YamlFile& file);

/// In the file's order. Throws SpecError where two are of one name, or where CMake, which reads lines, would read something else.
std::vector<Member> members(const YamlFile& family);

/// From here on `family` gives the texts of that member. `keys`: those of task.yaml.
void speak_for(YamlFile& family, const Member& member, const std::vector<std::string>& keys);
/// What the member says of a key of task.yaml, itself or by its family; undefined where neither does.
YAML::Node said_of(const YamlFile& family, const Member& member, const std::string& key);

/// From here on `file` reads as the task.yaml of the member of that name.
void become_member(YamlFile& file, const std::string& name, const std::vector<std::string>& keys);

}  // namespace assay::spec
