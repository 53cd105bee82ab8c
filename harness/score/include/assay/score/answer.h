// SPDX-License-Identifier: Apache-2.0
// What is answered: the record of each stage, and the reward.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "assay/record/record.h"
#include "assay/score/reward.h"

namespace assay::score {

struct Answer {
  std::string id, task, backend;
  std::vector<record::Record> records;  ///< of the stages that were run, in order
  std::string diagnostics;              ///< the compiler's words
  std::string reward_name;
  std::optional<RewardValue> reward;  ///< none: masked
  std::string masked;                 ///< why there is no reward; it is not the candidate's fault
  std::string cases;                  ///< what it was judged by, by name
  bool reused = false;                ///< an equal source had been judged
  double waited_seconds = 0, judged_seconds = 0;

  /// Of the last stage that was run; HARNESS_ERROR where none was.
  record::Verdict verdict() const;
};

/// What a model may be told of its candidate: the verdict, the compiler's words, about how large errors are. Nothing of what it is tested
/// with: no value, position, dimension or name of a case, nor what the candidate says of itself. Empty after a failure of ours.
std::string feedback_of(const Answer& answer);

/// The secrets that cases are drawn from are left out: the next candidate meets the same cases.
nlohmann::ordered_json to_json(const Answer& answer);
/// The same as one line of ASCII, which holds no control character.
std::string to_line(const Answer& answer);

/// The line for what could not be judged at all.
std::string error_line(const std::string& id, const std::string& why);

}  // namespace assay::score
