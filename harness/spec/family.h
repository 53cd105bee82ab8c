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

#include "yaml_reader.h"

namespace assay {

bool is_family(const YamlFile& file);

/// In the file's order. Throws SpecError where two are of one name, or where CMake, which reads lines, would read something else.
std::vector<std::string> names_of_members(const YamlFile& family);

/// From here on `file` reads as the task.yaml of that member. `keys`: those of task.yaml.
void become_member(YamlFile& file, const std::string& name, const std::vector<std::string>& keys);

}  // namespace assay
