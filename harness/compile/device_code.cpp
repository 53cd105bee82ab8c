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

std::string unfit_for_opencl(const spec::KernelLaunch& launch) {
  if (!launch.cluster.empty()) return "has clusters, which OpenCL has not";
  if (!launch.shared.steps.empty()) return "has shared [...]. do: pass an argument local <type>[...]";
  return "";
}

/// `sizes` are the bytes of the kernel's parameters.
std::string unfit_for_cuda(const spec::KernelLaunch& launch, const json& sizes) {
  using Kind = spec::LaunchArgument::Kind;
  if (launch.local.empty()) return "has no block size. do: add block [...], in threads";
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const Kind kind = launch.arguments[i].kind;
    if (kind == Kind::local)
      return fmt::format("argument {} is local, which CUDA has not. do: declare extern __shared__, and say shared [<bytes>] behind block",
                         i + 1);
    const std::size_t given = kind == Kind::i32 ? 4 : 8;
    if (sizes[i].get<std::size_t>() != given)
      return fmt::format("parameter {} has {} bytes. got: {} of {}", i + 1, sizes[i].get<std::size_t>(),
                         kind == Kind::buffer ? "an address"
                         : kind == Kind::i32  ? "an int"
                                              : "a long",
                         given);
  }
  return "";
}

/// The first launch of a kernel that the program does not have, or not with such parameters; empty where there is none. A program of
/// OpenCL says how many there are, one of CUDA their bytes.
std::string unfit_launch(const spec::LaunchBlock& block, const json& kernels) {
  for (const spec::KernelLaunch& launch : block.kernels) {
    const auto blame = [&](const std::string& what) {
      return fmt::format("launch block: {}:{}: kernel '{}' {}", launch.at.line, launch.at.column, launch.kernel, what);
    };
    const auto found = kernels.find(launch.kernel);
    if (found == kernels.end())
      return blame("is not in the program. do: choose a name that is no built-in function; in CUDA declare it extern \"C\" __global__");
    const bool of_cuda = found->is_array();
    const auto parameters = of_cuda ? found->size() : found->get<std::size_t>();
    if (parameters != launch.arguments.size())
      return blame(fmt::format("has {} parameters. got: {} arguments", parameters, launch.arguments.size()));
    const std::string what = of_cuda ? unfit_for_cuda(launch, *found) : unfit_for_opencl(launch);
    if (!what.empty()) return blame(what);
  }
  return "";
}

}  // namespace

std::string architecture_of(const std::string& told) { return json::parse(told).at("architecture").get<std::string>(); }

void add_device(StoredCompilation& made, const std::string& told) {
  const json device = json::parse(told);
  device.at("libraries").get_to(made.libraries);
  made.record.device = record::read_device(device);
}

void judge_binary(StoredCompilation& made, const spec::LaunchBlock& block, const fs::path& binary, const std::string& told) try {
  const json device = told.empty() ? read_description(description_of(binary)) : json::parse(told);
  device.at("libraries").get_to(made.libraries);
  made.record.device = record::read_device(device);
  const std::string reason = unfit_launch(block, read_description(binary.string() + ".kernels.json"));
  set_verdict(made.record, reason.empty() ? Verdict::pass : Verdict::compile_error, reason);
} catch (const std::exception& error) {  // the compiler says that it succeeded, so that they are what the source made of them
  set_verdict(made.record, Verdict::compile_error, error.what());
}

}  // namespace assay::compile
