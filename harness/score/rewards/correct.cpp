// SPDX-License-Identifier: Apache-2.0
// 1 where every output is right, else 0.
#include "assay/score/reward.h"

namespace assay::score {
namespace {

RewardValue correct(const Findings& found) {
  const double gate = found.correct ? 1 : 0;
  return {gate, {{"compiled", found.compiled ? 1 : 0}, {"correct", gate}}};
}

const bool correct_defined = define_reward({"correct", "1 where every output is right, else 0", false, correct});

}  // namespace
}  // namespace assay::score
