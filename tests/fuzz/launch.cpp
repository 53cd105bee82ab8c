// SPDX-License-Identifier: Apache-2.0
// A candidate's launch block: whatever the file, an error with its place in short and harmless words, or a
// block that at any dimensions gives such an error or a plan that can be handed to a device.
#include "assay/spec/launch.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "property.h"

namespace assay::launch_target {
namespace {

using spec::ConcreteArgument, spec::Dims, spec::Task;

constexpr std::uint64_t kMostItems = std::uint64_t{1} << 40;

Task a_task() {
  Task task;
  task.name = "task";
  task.model.inputs = {{"x", spec::ElementType::f32, {{"N", -1}, {"C", -1}}}, {"local", spec::ElementType::i64, {{"N", -1}}}};
  task.model.outputs = {{"y", spec::ElementType::f32, {{"N", -1}}}};
  task.dims = {"N", "C", "min"};
  return task;
}

void check_error(const spec::LaunchError& error, std::string_view source) {
  const std::string_view what = error.what();
  const spec::SourcePosition at = error.at();
  require(what.starts_with(std::to_string(at.line) + ":" + std::to_string(at.column) + ": "), "an error begins with its place", what);
  const auto lines = std::ranges::count(source, '\n') + 1;
  require(at.line >= 1 && at.line <= lines, "an error is on a line of the file", what);
  require(at.column >= 1 && static_cast<std::size_t>(at.column) <= source.size() + 1, "an error is in a column of the file", what);
  require(what.size() <= 1200, "an error is short", what);
  require(std::ranges::all_of(what, [](char c) { return c >= 0x20 && c <= 0x7e; }), "an error is printable ASCII", what);
}

/// What `read` gives, or nothing where it throws a LaunchError.
template <class Read>
auto result_of(std::string_view source, Read&& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const spec::LaunchError& error) {
    check_error(error, source);
    return std::nullopt;
  }
}

bool is_size(std::uint64_t size) { return size >= 1 && size <= kMostItems; }

void check_sizes(const spec::ConcreteLaunch& launch) {
  require(launch.rank >= 1 && launch.rank <= 3, "a launch has one to three sizes", launch.kernel);
  require(launch.shared_bytes <= kMostItems, "shared memory can be counted", launch.kernel);
  const bool chosen = launch.local[0] == 0;
  std::uint64_t items = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t global = launch.global[i], local = launch.local[i];
    require(is_size(global) && kMostItems / global >= items, "work-items can be counted", launch.kernel);
    items *= global;
    require(chosen ? local == 0 : is_size(local) && global % local == 0, "a global size is a multiple of its local one", launch.kernel);
    require(static_cast<int>(i) < launch.rank || (global == 1 && local <= 1), "sizes beyond the rank are 1", launch.kernel);
    const std::uint64_t cluster = launch.cluster[i];
    require((cluster == 0) == (launch.cluster[0] == 0), "a cluster has as many sizes as its grid", launch.kernel);
    require(cluster == 0 || (!chosen && is_size(cluster) && global / local % cluster == 0), "a grid is of whole clusters", launch.kernel);
  }
}

void check_argument(const ConcreteArgument& argument, std::size_t buffers) {
  using Kind = ConcreteArgument::Kind;
  using Int = std::numeric_limits<std::int32_t>;
  if (argument.kind == Kind::buffer) require(argument.buffer < buffers, "an argument is a buffer that there is");
  if (argument.kind == Kind::i32) require(argument.value >= Int::min() && argument.value <= Int::max(), "an int fits an int");
  if (argument.kind == Kind::local) require(argument.bytes >= 1 && argument.bytes <= 8 * kMostItems, "local memory can be counted");
}

void check_plan(const spec::ConcretePlan& plan, const spec::LaunchBlock& block, const Task& task) {
  require(plan.scratch_bytes.size() == block.scratch.size(), "each scratch buffer has its bytes");
  require(std::ranges::all_of(plan.zeroed, [&](std::size_t i) { return i < plan.scratch_bytes.size(); }), "what is zeroed is scratch");
  for (const std::uint64_t bytes : plan.scratch_bytes) require(bytes >= 1 && bytes <= 8 * kMostItems, "scratch can be counted");
  require(plan.launches.size() == block.kernels.size() && !plan.launches.empty() && plan.launches.size() <= 32,
          "a plan has the block's launches");
  const std::size_t buffers = task.model.inputs.size() + task.model.outputs.size() + block.scratch.size();
  for (const spec::ConcreteLaunch& launch : plan.launches) {
    check_sizes(launch);
    require(launch.arguments.size() <= 32, "a launch has at most 32 arguments", launch.kernel);
    for (const ConcreteArgument& argument : launch.arguments) check_argument(argument, buffers);
  }
}

/// A device that has what a plan was found to need, and no more.
void check_limits(const spec::ConcretePlan& plan, std::string_view source) {
  const spec::DeviceLimits small{64, 1024, {64, 8, 1}};
  const auto accepted = result_of(source, [&] {
    spec::require_within(plan, small);
    return true;
  });
  const bool fits = std::ranges::all_of(plan.launches, [&](const spec::ConcreteLaunch& launch) {
    std::uint64_t group = 1, bytes = launch.shared_bytes;
    for (const std::uint64_t size : launch.local) group *= std::max<std::uint64_t>(1, size);
    for (const ConcreteArgument& argument : launch.arguments) bytes += argument.bytes;
    return group <= 64 && bytes <= 1024 && launch.local[1] <= 8 && launch.local[2] <= 1;
  });
  require(accepted.has_value() == fits, "a launch is refused where the device has too little");
}

}  // namespace

FUZZ_TARGET(launch) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max(), smallest = std::numeric_limits<std::int64_t>::min();
  static const Task task = a_task();
  const std::string_view source = text_of(data, size);
  const auto block = result_of(source, [&] { return spec::parse_launch_block(source, task); });
  if (!block) return 0;
  require(!spec::kernel_names(*block).empty(), "a block launches something");
  for (const Dims& dims : {Dims{{"N", 7}, {"C", 300}, {"min", 2}}, Dims{{"N", 1}, {"C", 1}, {"min", 1}},
                           Dims{{"N", 0}, {"C", -1}, {"min", 0}}, Dims{{"N", largest}, {"C", smallest}, {"min", -1}}, Dims{{"N", 64}}}) {
    const auto plan = result_of(source, [&] { return spec::evaluate(*block, dims); });
    if (!plan) continue;
    check_plan(*plan, *block, task);
    check_limits(*plan, source);
  }
  return 0;
}

}  // namespace assay::launch_target
