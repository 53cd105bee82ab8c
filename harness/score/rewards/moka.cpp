// SPDX-License-Identifier: Apache-2.0
// The reward that MobileKernelBench's agents are trained with: 0.3 for what compiles, 0.3 for what is right, and the speedup. The estimate,
// as there: luck counts, and so does a factor of a thousand.
#include "assay/score/reward.h"

namespace assay::score {
namespace {

RewardValue moka(const Findings& found) {
  const double compiled = found.compiled ? 0.3 : 0, correct = found.correct ? 0.3 : 0;
  const double speedup = found.correct && found.speedup ? found.speedup->estimate : 0;
  return {compiled + correct + speedup, {{"compiled", compiled}, {"correct", correct}, {"speedup", speedup}}};
}

const bool moka_defined = define_reward({"moka", "0.3 where it compiles, 0.3 where it is right, and its speedup", true, moka});

}  // namespace
}  // namespace assay::score
