// SPDX-License-Identifier: Apache-2.0
#include "device_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "assay/spec/task.h"
#include "compiler_end.h"

namespace assay::compile {

namespace fs = std::filesystem;
using nlohmann::json;
using record::set_verdict, record::Verdict;

std::optional<spec::LaunchBlock> read_launch_block(const spec::TaskFile& task_yaml, const SourceFile& source, StoredCompilation& made) try {
  made.launch = source.text;
  return spec::parse_launch_block(made.launch, spec::load_checked_task(task_yaml));
} catch (const spec::LaunchError& error) {
  made.diagnostics = fmt::format("{}:{}\n", source.name.string(), error.what());
  set_verdict(made.record, Verdict::compile_error, fmt::format("launch block: {}", error.what()));
  return {};
}

namespace {

/// Numbers and texts, and lists of them: the reader of a deep value would need a deep stack.
bool is_flat(const json& value) {
  const auto primitive = [](const json& item) { return item.is_primitive(); };
  return value.is_primitive() || (value.is_array() && std::ranges::all_of(value, primitive));
}

/// What the compiler of device code left beside the binary. Throws std::runtime_error where it is no short, flat JSON object.
json read_description(const fs::path& file) {
  constexpr std::size_t kMost = 1 << 20;
  std::string text(kMost, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(kMost));
  text.resize(static_cast<std::size_t>(in.gcount()));
  json description = is_file(file) ? json::parse(text, nullptr, false) : json();
  if (!description.is_object() || !std::ranges::all_of(description, is_flat))
    throw std::runtime_error(fmt::format("{} is no description of a program", file.filename().string()));
  return description;
}

/// The first launch of a kernel that the program does not have, or not with so many parameters; empty where there is none.
std::string unfit_launch(const spec::LaunchBlock& block, const json& kernels) {
  for (const spec::KernelLaunch& launch : block.kernels) {
    const auto blame = [&](const std::string& what) {
      return fmt::format("launch block: {}:{}: kernel '{}' {}", launch.at.line, launch.at.column, launch.kernel, what);
    };
    const auto found = kernels.find(launch.kernel);
    if (found == kernels.end()) return blame("is not in the program. do: choose a name that is no function of OpenCL C");
    const auto parameters = found->get<std::size_t>();
    if (parameters != launch.arguments.size())
      return blame(fmt::format("has {} parameters. got: {} arguments", parameters, launch.arguments.size()));
  }
  return "";
}

}  // namespace

void judge_binary(StoredCompilation& made, const spec::LaunchBlock& block, const fs::path& binary) try {
  const json device = read_description(description_of(binary));
  device.at("libraries").get_to(made.libraries);
  made.record.device = record::read_device(device);
  const std::string reason = unfit_launch(block, read_description(binary.string() + ".kernels.json"));
  set_verdict(made.record, reason.empty() ? Verdict::pass : Verdict::compile_error, reason);
} catch (const std::exception& error) {  // the compiler says that it succeeded, so that they are what the source made of them
  set_verdict(made.record, Verdict::compile_error, error.what());
}

}  // namespace assay::compile
