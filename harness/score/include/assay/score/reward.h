// SPDX-License-Identifier: Apache-2.0
// From what the stages found to one number. A reward is one file in rewards/, which calls define_reward(); nothing lists them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/record/record.h"

namespace assay::score {

/// What rewards may read.
struct Findings {
  bool compiled = false;
  bool correct = false;  ///< every output was within its bound, those of the timed calls too
  /// Of a correct candidate that was timed. One whose own launches disagree has its lower bound in all fields.
  std::optional<record::Speedup> speedup;
  std::optional<double> efficiency;  ///< roofline time over measured time
};

/// Findings, or why a reward that reads them has none: it is not the candidate's fault.
struct Found {
  Findings findings;
  std::string masked;        ///< no reward at all: a HARNESS_ERROR
  std::string masked_speed;  ///< none that reads the speed: the timing says nothing
};
/// Of the stages in their order, those that were run. A stage that did not pass is the last.
Found findings_of(const std::vector<record::Record>& records);

struct RewardValue {
  double value = 0;
  std::vector<std::pair<std::string, double>> parts;  ///< what it is made of, by name

  bool operator==(const RewardValue&) const = default;
};

struct Reward {
  std::string_view name;
  std::string_view meaning;  ///< one line
  bool reads_speed = false;  ///< needs the stage bench
  RewardValue (*of)(const Findings&);
};

/// To be called at static initialisation. Always true.
bool define_reward(const Reward& reward);

/// By name.
const std::vector<Reward>& all_rewards();
/// nullptr where there is none.
const Reward* find_reward(std::string_view name);

}  // namespace assay::score
