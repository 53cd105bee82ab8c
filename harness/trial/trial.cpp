// SPDX-License-Identifier: Apache-2.0
#include "assay/trial/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>

#include "assay/cases/inputs.h"
#include "assay/plan/confinement.h"
#include "assay/sandbox/elf_file.h"
#include "assay/sandbox/on_all.h"

namespace assay::trial {
namespace {

using cases::Bytes, cases::ExpectedTensor, cases::PreparedCase;
using plan::Candidate, plan::confinement, plan::device_files, plan::DeviceCode, plan::passed_environment, plan::Plan;
using record::Verdict;
using spec::ConcretePlan;

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
  if (fmt::format(":{}:", path).find(fmt::format(":{}:", folder.string())) != std::string::npos) return;
  path += fmt::format("{}{}", path.empty() ? "" : ":", folder.string());
}

static_assert(wire::kMaxBuffers > spec::kMostTensors && wire::kMaxDims >= spec::kMostDims,
              "what task.yaml may say, a box can be called with");

/// What one call may ask for beside inputs and outputs.
constexpr std::uint64_t kMostScratch = std::uint64_t{2} << 30;

std::uint64_t total(const std::vector<std::uint64_t>& bytes) { return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0}); }

wire::Argument on_wire(const spec::ConcreteArgument& argument) {
  using Kind = spec::ConcreteArgument::Kind;
  switch (argument.kind) {
    case Kind::buffer: return {wire::Argument::kBuffer, static_cast<std::uint32_t>(argument.buffer), 0};
    case Kind::i32: return {wire::Argument::kInt32, 0, argument.value};
    case Kind::i64: return {wire::Argument::kInt64, 0, argument.value};
    case Kind::local: break;
  }
  return {wire::Argument::kLocal, 0, static_cast<std::int64_t>(argument.bytes)};
}

/// `tensors` is how many buffers come before scratch.
std::vector<wire::Launch> on_wire(const ConcretePlan& plan, const std::vector<std::string>& kernels, std::size_t tensors) {
  std::vector<wire::Launch> launches;
  for (const std::size_t scratch : plan.zeroed) {
    wire::Launch& at = launches.emplace_back();
    at.kernel = wire::kZeroing;
    at.argument_count = 1;
    at.arguments[0] = {wire::Argument::kBuffer, static_cast<std::uint32_t>(tensors + scratch), 0};
  }
  for (const spec::ConcreteLaunch& launch : plan.launches) {
    wire::Launch& at = launches.emplace_back();
    at.kernel = static_cast<std::uint32_t>(std::ranges::find(kernels, launch.kernel) - kernels.begin());
    at.rank = static_cast<std::uint32_t>(launch.rank);
    std::ranges::copy(launch.global, at.global);
    std::ranges::copy(launch.local, at.local);
    std::ranges::copy(launch.cluster, at.cluster);
    at.shared_bytes = launch.shared_bytes;
    at.argument_count = static_cast<std::uint32_t>(launch.arguments.size());
    std::ranges::transform(launch.arguments, at.arguments, [](const auto& argument) { return on_wire(argument); });
  }
  return launches;
}

/// The launches at a case's dimensions; throws LaunchError where they cannot be made.
ConcretePlan plan_launches(const BoxProgram& program, const PreparedCase& prepared) {
  if (!program.launch) return {};
  ConcretePlan plan = spec::evaluate(*program.launch, prepared.dims);
  spec::require_within(plan, program.limits);
  return plan;
}

/// Bytes and number of the scratch buffers of a case; none where lay_out() will refuse it.
std::pair<std::uint64_t, std::size_t> scratch_of(const BoxProgram& program, const PreparedCase& prepared) try {
  const ConcretePlan plan = plan_launches(program, prepared);
  const std::uint64_t bytes = total(plan.scratch_bytes);
  return bytes > kMostScratch ? std::pair<std::uint64_t, std::size_t>{} : std::pair{bytes, plan.scratch_bytes.size()};
} catch (const spec::LaunchError&) {
  return {};
}

/// On all processors of the box, which stands still, where its data go to a device: one copies slower than memory can. A box that works
/// on the buffers itself is to find them in the caches where everybody does, so there one processor copies.
void copy(const BoxProgram& program, std::span<const std::byte> from, std::byte* to) {
  constexpr std::size_t kPart = std::size_t{4} << 20;
  if (!program.transfers || program.cpus.size() < 2 || from.size() <= kPart) {
    if (!from.empty()) std::memcpy(to, from.data(), from.size());
    return;
  }
  sandbox::on_all(program.cpus, (from.size() + kPart - 1) / kPart, [&](std::size_t part) {
    const std::size_t at = part * kPart;
    std::memcpy(to + at, from.data() + at, std::min(kPart, from.size() - at));
  });
}

/// Whether `path` is one of the folders that hold programs and libraries of all kinds.
bool is_of_system(const std::filesystem::path& path) {
  const auto folders = sandbox::system_paths();
  return std::filesystem::is_directory(path) && std::ranges::find(folders, path) != folders.end();
}

/// Host code that works on the memory of a device.
void add_host_code(BoxProgram& program, const Plan& plan, const Candidate& candidate, const DeviceCode& code) {
  program.device = code.device.selector;
  program.transfers = program.seals = true;
  program.cache = candidate.cache();
  program.devices = device_files(plan.toolchain);
  program.driver_libraries = code.libraries;
  program.environment.emplace_back("CUDA_MODULE_LOADING=LAZY");  // a library has thousands of kernels; warm-ups load those of a call
  std::ranges::copy(plan.toolchain.driver, std::back_inserter(program.readable));
  program.argv = {plan.toolchain.box.string(), "host", "--device", program.device, "--cache", program.cache.string(),
                  candidate.library().string()};
}

/// Device code: its launch block, and the device that it was compiled for.
void add_launches(BoxProgram& program, const Plan& plan, const Candidate& candidate, const DeviceCode& code) {
  program.launch = spec::parse_launch_block(code.source, spec::load_checked_task(plan.task.task_yaml));
  const record::Device& device = code.device;
  program.limits.work_group = device.work_group;
  program.limits.local_bytes = device.local_bytes;
  if (device.work_items.size() != program.limits.work_items.size())
    throw std::runtime_error(fmt::format("{}: its device limits {} sizes, not 3. do: build again", candidate.compile_record().string(),
                                         device.work_items.size()));
  std::ranges::copy(device.work_items, program.limits.work_items.begin());
  program.device = device.selector;
  program.transfers = device.kind != "cpu";
  program.cache = candidate.cache();
  if (program.transfers) {
    program.devices = device_files(plan.toolchain);
    program.readable.push_back(program.cache);
    std::ranges::copy(plan.toolchain.readable, std::back_inserter(program.readable));
  } else {
    // The kernels run in the box's own process: it sees the driver's libraries, and no others of the machine.
    program.compiler_view = plan.toolchain.readable;
    program.private_copies.push_back(program.cache);
    program.driver_libraries = code.libraries;
    std::ranges::copy_if(plan.toolchain.readable, std::back_inserter(program.readable),
                         [](const auto& path) { return !is_of_system(path); });
  }
  program.argv = {plan.toolchain.box.string(), "box", "--device", program.device, "--cache", program.cache.string(),
                  candidate.library().string()};
  std::ranges::copy(spec::kernel_names(*program.launch), std::back_inserter(program.argv));
}

/// Inputs that no case has. A kernel may go by integers, and those of blank data may point anywhere; other data are blank, and so are those
/// whose usual values do not fit a case's dimensions.
void load_throwaway(Box& box, const spec::Task& task, const PreparedCase& entry) {
  load_blank(box, entry);
  if (box.failure() || std::ranges::all_of(task.model.inputs, [](const auto& input) { return spec::is_real(input.type); })) return;
  try {
    const std::vector<Bytes> drawn = cases::draw_inputs(task, {}, entry.dims, cases::fresh_seed(), "throwaway");
    for (std::size_t i = 0; i < drawn.size(); ++i)
      if (!spec::is_real(task.model.inputs[i].type)) std::ranges::copy(drawn[i], box.input(i).begin());
  } catch (const std::invalid_argument&) {
  }
}

/// Beside the program that launches kernels: what keeps it from running them.
std::filesystem::path unloaded(const std::filesystem::path& box) { return box.parent_path() / (box.filename().string() + "-unloaded.so"); }

}  // namespace

BoxProgram candidate_program(const Plan& plan, const Candidate& candidate, const std::optional<DeviceCode>& code, int threads,
                             std::chrono::seconds budget) {
  BoxProgram program;
  program.threads = threads;
  program.call_limit = plan.task.time_limit;
  program.memory_limit = plan.task.memory_limit;
  program.budget = std::make_shared<TimeBudget>(budget);
  program.argv = {plan.toolchain.box.string(), candidate.library().string()};
  program.readable = {plan.toolchain.box, sandbox::read_elf(plan.toolchain.box).interpreter};
  program.private_copies = {candidate.library()};
  for (const auto& library : plan.toolchain.libraries) {
    program.readable.push_back(library);
    add_folder(program.library_path, library.parent_path());
  }
  plan::PassedEnvironment passed = passed_environment(plan.toolchain);
  std::ranges::move(passed.readable, std::back_inserter(program.readable));
  program.environment = std::move(passed.variables);
  program.layers = confinement(plan.settings);
  if (code && plan.toolchain.is_host_code_of_device()) add_host_code(program, plan, candidate, *code);
  else if (code) add_launches(program, plan, candidate, *code);
  return program;
}

BoxProgram sealing_program(BoxProgram candidate) {
  candidate.argv.pop_back();
  candidate.private_copies.clear();
  candidate.budget.reset();
  candidate.ours = true;
  return candidate;
}

std::optional<FailedLaunch> prepare_launches(BoxProgram program, const spec::Task& task, std::span<const PreparedCase> cases,
                                             const OpenBox& open) {
  if (!program.launch) return {};
  constexpr std::chrono::seconds kCompiling{5};  // its kernels, beside a launch
  std::filesystem::create_directories(program.cache);
  program.preparing = true;
  std::erase(program.private_copies, program.cache);
  if (!program.transfers) {
    const std::filesystem::path preloaded = unloaded(program.argv.front());
    program.environment.push_back("LD_PRELOAD=" + preloaded.string());
    program.readable.push_back(preloaded);
  }
  // A driver goes by its threads where it chooses local sizes; elsewhere one does, and PoCL clears 17 MiB for each.
  if (std::ranges::none_of(program.launch->kernels, [](const spec::KernelLaunch& launch) { return launch.local.empty(); }))
    program.threads = 1;
  program.output.clear();  // what a kernel prints of blank data, in a box that may write large files
  const auto box = open(program, cases);
  for (const PreparedCase& entry : cases) {
    if (!box->failure()) load_throwaway(*box, task, entry);
    if (!box->failure()) box->upload();
    if (box->failure() || !box->call(wire::CallKind::kernel, program.call_limit + kCompiling))
      return FailedLaunch{entry.name, box->failure().value()};
  }
  return {};
}

BoxProgram baseline_program(const Plan& plan) {
  BoxProgram program;
  program.argv = {plan.settings.baseline.string(), plan.task.task_yaml.text()};
  program.readable = {plan.settings.baseline, plan.task.task_yaml.file};
  if (const auto& library = plan.task.task_yaml.library; !library.empty()) {
    program.argv.push_back(library.string());
    program.readable.push_back(library);
    program.readable.push_back(spec::harness_folder(plan.task.task_yaml));
  }
  program.ours = true;
  program.call_limit = plan.task.time_limit;
  program.layers = confinement(plan.settings);
  for (const auto& folder : library_folders()) {
    program.readable.push_back(folder);
    add_folder(program.library_path, folder);
  }
  return program;
}

std::unique_ptr<Box> open_box(const BoxProgram& program, std::span<const PreparedCase> cases) {
  std::size_t input_bytes = 0, output_bytes = 0, buffers = 1;
  for (const PreparedCase& entry : cases) {
    auto [out, scratch] = scratch_of(program, entry);
    std::size_t in = 0;
    for (const Bytes& input : entry.inputs) in += input.size();
    for (const ExpectedTensor& output : entry.outputs) out += output.bytes();
    input_bytes = std::max(input_bytes, in);
    output_bytes = std::max(output_bytes, out);
    buffers = std::max(buffers, entry.inputs.size() + entry.outputs.size() + scratch);
  }
  return std::make_unique<ConfinedBox>(program, input_bytes, output_bytes, buffers);
}

void lay_out(Box& box, const PreparedCase& prepared) try {
  const ConcretePlan plan = plan_launches(box.program(), prepared);
  if (total(plan.scratch_bytes) > kMostScratch)
    return box.refuse({Verdict::memory_limit, fmt::format("asks for {} bytes of scratch, more than the limit of {} GiB",
                                                          total(plan.scratch_bytes), kMostScratch >> 30)});
  if (const std::size_t buffers = prepared.inputs.size() + prepared.outputs.size() + plan.scratch_bytes.size(); buffers > wire::kMaxBuffers)
    return box.refuse(
        {Verdict::crash, fmt::format("cannot be launched: {} tensors and scratch buffers, of at most {}", buffers, wire::kMaxBuffers)});
  std::vector<std::size_t> inputs, outputs;
  for (const Bytes& input : prepared.inputs) inputs.push_back(input.size());
  for (const ExpectedTensor& output : prepared.outputs) outputs.push_back(output.bytes());
  box.set_layout(inputs, outputs, plan.scratch_bytes, prepared.dim_values);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (const auto input = prepared.outputs[i].in_place) box.set_in_place(i, *input);
  if (box.program().launch) box.set_launches(on_wire(plan, spec::kernel_names(*box.program().launch), inputs.size() + outputs.size()));
} catch (const spec::LaunchError& error) {
  box.refuse({Verdict::crash, fmt::format("cannot be launched: {}", error.what())});
}

void load_blank(Box& box, const PreparedCase& prepared) {
  lay_out(box, prepared);
  if (box.failure()) return;
  for (std::size_t i = 0; i < prepared.inputs.size(); ++i) std::ranges::fill(box.input(i), std::byte{0});
  box.poison(Poison::nan, 0);
}

void load_case(Box& box, const PreparedCase& prepared) {
  lay_out(box, prepared);
  if (box.failure()) return;
  for (std::size_t i = 0; i < prepared.inputs.size(); ++i) copy(box.program(), prepared.inputs[i], box.input(i).data());
}

std::vector<Bytes> copy_outputs(const Box& box, const PreparedCase& prepared) {
  std::vector<Bytes> outputs;
  for (std::size_t i = 0; i < prepared.outputs.size(); ++i) {
    const auto bytes = box.output(i);
    outputs.emplace_back(bytes.size());
    copy(box.program(), bytes, outputs.back().data());
  }
  return outputs;
}

}  // namespace assay::trial
