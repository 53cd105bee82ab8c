// SPDX-License-Identifier: Apache-2.0
#include "trial.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <set>

#include "assay/judge/confinement.h"
#include "elf_file.h"

namespace assay {
namespace {

/// Folders outside the system's that this process has shared libraries from: the baseline is linked with the same ones.
std::set<std::filesystem::path> library_folders() {
  std::set<std::filesystem::path> folders;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t at = line.find('/');
    if (at == std::string::npos || line.find(".so", at) == std::string::npos) continue;
    const std::string path = line.substr(at);
    if (!path.starts_with("/usr/") && !path.starts_with("/lib")) folders.insert(std::filesystem::path(path).parent_path());
  }
  return folders;
}

/// To a search path "a:b", once.
void add_folder(std::string& path, const std::filesystem::path& folder) {
  if ((":" + path + ":").find(":" + folder.string() + ":") != std::string::npos) return;
  path += (path.empty() ? "" : ":") + folder.string();
}

void lay_out(Box& box, const PreparedCase& prepared) {
  std::vector<std::size_t> inputs, outputs;
  for (const Bytes& input : prepared.inputs) inputs.push_back(input.size());
  for (const ExpectedTensor& output : prepared.outputs) outputs.push_back(output.bytes());
  box.set_layout(inputs, outputs, prepared.dim_values);
}

}  // namespace

BoxProgram candidate_program(const Plan& plan, const Candidate& candidate) {
  BoxProgram program;
  program.argv = {plan.box.string(), candidate.library().string()};
  program.readable = {plan.box, candidate.library(), read_elf(plan.box).interpreter};
  for (const auto& library : plan.libraries) {
    program.readable.push_back(library);
    add_folder(program.library_path, library.parent_path());
  }
  program.layers = confinement(plan);
  return program;
}

BoxProgram baseline_program(const Plan& plan) {
  BoxProgram program;
  program.argv = {plan.baseline.string(), plan.task_yaml.string()};
  program.readable = {plan.baseline, plan.task_yaml};
  program.ours = true;
  program.layers = confinement(plan);
  for (const auto& folder : library_folders()) {
    program.readable.push_back(folder);
    add_folder(program.library_path, folder);
  }
  return program;
}

std::unique_ptr<Box> open_box(const BoxProgram& program, std::span<const PreparedCase> cases) {
  std::size_t input_bytes = 0, output_bytes = 0, buffers = 1;
  for (const PreparedCase& entry : cases) {
    std::size_t in = 0, out = 0;
    for (const Bytes& input : entry.inputs) in += input.size();
    for (const ExpectedTensor& output : entry.outputs) out += output.bytes();
    input_bytes = std::max(input_bytes, in);
    output_bytes = std::max(output_bytes, out);
    buffers = std::max(buffers, entry.inputs.size() + entry.outputs.size());
  }
  return std::make_unique<Box>(program, input_bytes, output_bytes, buffers);
}

void load_blank(Box& box, const PreparedCase& prepared) {
  lay_out(box, prepared);
  for (std::size_t i = 0; i < prepared.inputs.size(); ++i) std::ranges::fill(box.input(i), std::byte{0});
  box.poison(0);
}

void load_case(Box& box, const PreparedCase& prepared) {
  lay_out(box, prepared);
  for (std::size_t i = 0; i < prepared.inputs.size(); ++i)
    std::copy(prepared.inputs[i].begin(), prepared.inputs[i].end(), box.input(i).data());
}

std::vector<Bytes> copy_outputs(const Box& box, const PreparedCase& prepared) {
  std::vector<Bytes> outputs;
  for (std::size_t i = 0; i < prepared.outputs.size(); ++i) {
    const auto bytes = box.output(i);
    outputs.emplace_back(bytes.begin(), bytes.end());
  }
  return outputs;
}

}  // namespace assay
