// SPDX-License-Identifier: Apache-2.0
#include "assay/timing/launch_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace assay::timing {
namespace {

bool same_sizes(const cases::PreparedCase& a, const cases::PreparedCase& b) {
  return std::ranges::equal(a.inputs, b.inputs, {}, &cases::Bytes::size, &cases::Bytes::size) &&
         std::ranges::equal(a.outputs, b.outputs, {}, &cases::ExpectedTensor::bytes, &cases::ExpectedTensor::bytes);
}

}  // namespace

Effort effort_of(const std::string& name) {
  if (name == "quick") return {5, 4};
  if (name == "standard") return {100, 16};
  if (name == "publish") return {200, 16};
  throw std::runtime_error(fmt::format("bench: unknown effort '{}'. known: quick standard publish", name));
}

std::vector<bool> balanced_orders(std::size_t count, cases::RandomStream& random) {
  std::vector<bool> orders(count);
  for (std::size_t i = 0; i < count; ++i) orders[i] = i % 2 == 0;
  for (std::size_t left = count; left > 1; --left) {
    const std::size_t other = random.below(left);
    const bool last = orders[left - 1];
    orders[left - 1] = orders[other];
    orders[other] = last;
  }
  return orders;
}

std::size_t end_of_batch(std::span<const cases::PreparedCase> calls, std::size_t begin, std::size_t most) {
  std::size_t end = begin + 1;
  while (end < calls.size() && end - begin < most && same_sizes(calls[begin], calls[end])) ++end;
  return end;
}

double Clocks::apart() const {
  if (calls == 0) return 0;
  const auto n = static_cast<double>(calls);
  return std::max(0.0, std::abs(judge - device) / n - most_apart(device / n, unsure / n));
}

void ShapeTimes::add(const LaunchTimes& launch) {
  std::vector<double> of_candidate, of_baseline;
  for (const PairTime& pair : launch.pairs) {
    of_candidate.push_back(pair.candidate);
    of_baseline.push_back(pair.baseline);
  }
  candidate.insert(candidate.end(), of_candidate.begin(), of_candidate.end());
  baseline.insert(baseline.end(), of_baseline.begin(), of_baseline.end());
  candidate_launches.push_back(median(std::move(of_candidate)));
  baseline_launches.push_back(median(std::move(of_baseline)));
  log_ratios.push_back(log_ratio(launch.pairs));
  overheads.push_back(launch.overhead);
  std::ranges::copy(launch.device, std::back_inserter(device));
  clocks.push_back(launch.clocks);
  std::ranges::copy(launch.states, std::back_inserter(states));
}

}  // namespace assay::timing
