// SPDX-License-Identifier: Apache-2.0
#include "launch_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "launch_expression.h"

namespace assay::spec {
namespace {

constexpr std::int64_t kMostItems = std::int64_t{1} << 40;

std::string who_of(const ScratchBuffer& buffer) { return "scratch " + quotation(buffer.name); }
std::string who_of(const std::string& kernel) { return "kernel " + quotation(kernel); }

std::uint64_t checked_size(const LaunchExpression& expression, const DimValues& dims, const std::string& who) {
  const std::int64_t value = value_of(expression, dims, who);
  if (value < 1 || value > kMostItems)
    throw LaunchError(expression.at, fmt::format("{} must be 1 to {}. got: {}", who, kMostItems, explained(expression, dims, value)));
  return static_cast<std::uint64_t>(value);
}

std::uint64_t bytes_of(const ScratchBuffer& buffer, const DimValues& dims) {
  return checked_size(buffer.count, dims, who_of(buffer) + ": its count of elements") * size_of(buffer.type);
}

std::uint64_t global_size(const KernelLaunch& launch, std::size_t i, const DimValues& dims) {
  const char* what = launch.counts_groups ? "grid" : "global";
  return checked_size(launch.global[i], dims, fmt::format("{}: {} size {}", who_of(launch.kernel), what, i + 1));
}

std::uint64_t local_size(const KernelLaunch& launch, std::size_t i, const DimValues& dims) {
  const char* what = launch.counts_groups ? "block" : "local";
  return checked_size(launch.local[i], dims, fmt::format("{}: {} size {}", who_of(launch.kernel), what, i + 1));
}

std::uint64_t cluster_size(const KernelLaunch& launch, std::size_t i, const DimValues& dims) {
  return checked_size(launch.cluster[i], dims, fmt::format("{}: cluster size {}", who_of(launch.kernel), i + 1));
}

std::uint64_t shared_bytes(const KernelLaunch& launch, const DimValues& dims) {
  return checked_size(launch.shared, dims, who_of(launch.kernel) + ": its bytes of shared memory");
}

void require_multiple(const KernelLaunch& launch, std::size_t i, std::uint64_t global, std::uint64_t local, const DimValues& dims) {
  if (launch.counts_groups || global % local == 0) return;
  const auto shown = [&](const LaunchExpression& expression, std::uint64_t value) {
    return explained(expression, dims, static_cast<std::int64_t>(value));
  };
  throw LaunchError(launch.global[i].at,
                    fmt::format("{}: global size {} must be a multiple of the local one. got: {} and {}. do: round_up(..., {})",
                                who_of(launch.kernel), i + 1, shown(launch.global[i], global), shown(launch.local[i], local), local));
}

/// Counts work-items where the block counts work-groups.
void multiply_groups(ConcreteLaunch& launch) {
  for (std::size_t i = 0; i < launch.global.size(); ++i) {
    if (launch.global[i] > kMostItems / launch.local[i])
      throw LaunchError(launch.at, fmt::format("{}: at most {} work-items. got: grid size {} of {} blocks of {}", who_of(launch.kernel),
                                               kMostItems, i + 1, launch.global[i], launch.local[i]));
    launch.global[i] *= launch.local[i];
  }
}

void require_countable(const ConcreteLaunch& launch) {
  std::uint64_t most = kMostItems;
  for (const std::uint64_t size : launch.global) most /= size;
  if (most == 0)
    throw LaunchError(launch.at, fmt::format("{}: at most {} work-items. got: {} x {} x {}", who_of(launch.kernel), kMostItems,
                                             launch.global[0], launch.global[1], launch.global[2]));
}

void require_whole_clusters(const ConcreteLaunch& launch) {
  for (std::size_t i = 0; i < launch.cluster.size(); ++i)
    if (launch.cluster[i] > 0 && launch.global[i] / launch.local[i] % launch.cluster[i] != 0)
      throw LaunchError(
          launch.at, fmt::format("{}: grid size {} must be a multiple of the cluster's. got: {} and {}. do: round_up(..., {})",
                                 who_of(launch.kernel), i + 1, launch.global[i] / launch.local[i], launch.cluster[i], launch.cluster[i]));
}

void require_int(const LaunchExpression& expression, std::int64_t value, const DimValues& dims, const std::string& who) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (value < Limits::min() || value > Limits::max())
    throw LaunchError(expression.at,
                      fmt::format("{} does not fit an int. got: {}. do: pass a long", who, explained(expression, dims, value)));
}

ConcreteArgument concrete(const LaunchArgument& argument, const DimValues& dims, const std::string& who) {
  using Kind = LaunchArgument::Kind;
  ConcreteArgument result{argument.kind, argument.buffer, 0, 0};
  if (argument.kind == Kind::local)
    result.bytes = checked_size(argument.value, dims, who + ": its count of elements") * size_of(argument.type);
  else if (argument.kind != Kind::buffer) result.value = value_of(argument.value, dims, who);
  if (argument.kind == Kind::i32) require_int(argument.value, result.value, dims, who);
  return result;
}

std::string who_of_argument(const KernelLaunch& launch, std::size_t i) {
  return fmt::format("{}: argument {}", who_of(launch.kernel), i + 1);
}

ConcreteLaunch concrete(const KernelLaunch& launch, const DimValues& dims) {
  ConcreteLaunch result;
  result.kernel = launch.kernel;
  result.at = launch.at;
  result.rank = static_cast<int>(launch.global.size());
  for (std::size_t i = 0; i < launch.global.size(); ++i) {
    result.global[i] = global_size(launch, i, dims);
    if (launch.local.empty()) continue;
    result.local[i] = local_size(launch, i, dims);
    require_multiple(launch, i, result.global[i], result.local[i], dims);
    if (!launch.cluster.empty()) result.cluster[i] = cluster_size(launch, i, dims);
  }
  if (!launch.local.empty()) std::fill(result.local.begin() + result.rank, result.local.end(), 1);
  if (!launch.cluster.empty()) std::fill(result.cluster.begin() + result.rank, result.cluster.end(), 1);
  if (launch.counts_groups) multiply_groups(result);
  require_countable(result);
  require_whole_clusters(result);
  if (!launch.shared.steps.empty()) result.shared_bytes = shared_bytes(launch, dims);
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    result.arguments.push_back(concrete(launch.arguments[i], dims, who_of_argument(launch, i)));
  return result;
}

bool is_constant(const LaunchExpression& expression) { return constant_value(expression).has_value(); }

void require_sound_constants(const KernelLaunch& launch, const DimValues& none) {
  for (std::size_t i = 0; i < launch.global.size(); ++i) {
    const bool global = is_constant(launch.global[i]), local = !launch.local.empty() && is_constant(launch.local[i]);
    if (global) global_size(launch, i, none);
    if (local) local_size(launch, i, none);
    if (global && local) require_multiple(launch, i, global_size(launch, i, none), local_size(launch, i, none), none);
    if (!launch.cluster.empty() && is_constant(launch.cluster[i])) cluster_size(launch, i, none);
  }
  if (is_constant(launch.shared)) shared_bytes(launch, none);
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    if (is_constant(launch.arguments[i].value)) concrete(launch.arguments[i], none, who_of_argument(launch, i));
  const auto are_constant = [](const std::vector<LaunchExpression>& sizes) { return std::ranges::all_of(sizes, is_constant); };
  if (are_constant(launch.global) && are_constant(launch.local) && are_constant(launch.cluster)) {
    KernelLaunch sizes = launch;
    sizes.arguments.clear();
    sizes.shared.steps.clear();
    concrete(sizes, none);
  }
}

void require_within(const ConcreteLaunch& launch, const DeviceLimits& limits) {
  const auto require = [&](const char* what, std::uint64_t wanted, std::uint64_t most, const char* unit) {
    if (most != 0 && wanted > most)
      throw LaunchError(launch.at, fmt::format("{}: {} of {} {}. the device has {}", who_of(launch.kernel), what, wanted, unit, most));
  };
  std::uint64_t work_group = 1, local_bytes = 0;
  for (std::size_t i = 0; i < launch.local.size(); ++i) {
    require(fmt::format("a local size {}", i + 1).c_str(), launch.local[i], limits.work_items[i], "work-items");
    work_group *= std::max<std::uint64_t>(1, launch.local[i]);
  }
  require("a work-group", work_group, limits.work_group, "work-items");
  for (const ConcreteArgument& argument : launch.arguments) local_bytes += argument.bytes;
  local_bytes += launch.shared_bytes;
  require("local memory", local_bytes, limits.local_bytes, "bytes");
}

}  // namespace

void require_sound_constants(const LaunchBlock& block) {
  const DimValues none = values_of(block.dims, {});
  for (const ScratchBuffer& buffer : block.scratch)
    if (is_constant(buffer.count)) bytes_of(buffer, none);
  for (const KernelLaunch& launch : block.kernels) require_sound_constants(launch, none);
}

ConcretePlan evaluate(const LaunchBlock& block, const Dims& dims) {
  const DimValues values = values_of(block.dims, dims);
  ConcretePlan plan;
  for (std::size_t i = 0; i < block.scratch.size(); ++i) {
    plan.scratch_bytes.push_back(bytes_of(block.scratch[i], values));
    if (block.scratch[i].is_zeroed) plan.zeroed.push_back(i);
  }
  for (const KernelLaunch& launch : block.kernels) plan.launches.push_back(concrete(launch, values));
  return plan;
}

void require_within(const ConcretePlan& plan, const DeviceLimits& limits) {
  for (const ConcreteLaunch& launch : plan.launches) require_within(launch, limits);
}

}  // namespace assay::spec
