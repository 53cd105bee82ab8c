// SPDX-License-Identifier: Apache-2.0
// The share of what this machine could do at best: the roofline's time over the measured one. No baseline has a say in it. Data that
// lies in a cache moves faster than the roofline's memory, so the share ends at 1.
#include <algorithm>

#include "assay/score/reward.h"

namespace assay::score {
namespace {

RewardValue roofline(const Findings& found) {
  const double share = found.correct && found.efficiency ? std::clamp(*found.efficiency, 0.0, 1.0) : 0;
  return {share, {{"compiled", found.compiled ? 1 : 0}, {"correct", found.correct ? 1 : 0}, {"roofline", share}}};
}

const bool roofline_defined = define_reward({"roofline", "0 where wrong, else the share of the roofline, at most 1", true, roofline});

}  // namespace
}  // namespace assay::score
