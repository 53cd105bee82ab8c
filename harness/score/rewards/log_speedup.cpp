// SPDX-License-Identifier: Apache-2.0
// A right kernel has 1 and the natural logarithm of its speedup's lower bound, kept within -0.9 and 3: the slowest right one has more than
// a wrong one, and none is so fast that it outweighs twenty others. What luck adds to an estimate lies above the bound.
#include <algorithm>
#include <cmath>

#include "assay/score/reward.h"

namespace assay::score {
namespace {

constexpr double kLeast = -0.9, kMost = 3;

RewardValue log_speedup(const Findings& found) {
  RewardValue reward{0, {{"compiled", found.compiled ? 1 : 0}, {"correct", found.correct ? 1 : 0}, {"log_speedup", 0}}};
  if (!found.correct || !found.speedup) return reward;
  const double bound = found.speedup->at_least;
  const double logarithm = bound > 0 ? std::clamp(std::log(bound), kLeast, kMost) : kLeast;
  reward.parts.back().second = logarithm;
  reward.value = 1 + logarithm;
  return reward;
}

const bool log_speedup_defined =
    define_reward({"log_speedup", "0 where wrong, else 1 + ln of the speedup's lower bound, within 0.1 and 4", true, log_speedup});

}  // namespace
}  // namespace assay::score
