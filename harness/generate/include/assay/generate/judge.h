// SPDX-License-Identifier: Apache-2.0
// Whoever says what a candidate is worth while others are being asked for: the stages of `assay score`, or a run that was recorded
// (replay.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/record/test_name.h"
#include "assay/spec/source_text.h"

namespace assay::generate {

inline constexpr const char* kNoCandidate = "NO_CANDIDATE";  ///< in place of a verdict, where an answer held none

/// What was found of one answer.
struct Judgement {
  std::string verdict;            ///< "PASS", or kNoCandidate
  bool right = false;             ///< as far as it was judged
  std::optional<double> speedup;  ///< over the baseline, the lower bound
  std::string feedback;           ///< what the model may be told
};

class Judge {
 public:
  virtual ~Judge() = default;

  struct Sample {
    std::string id;  ///< of the request that it answers
    std::string task;
    spec::SourceText source;
    record::Stage last;  ///< how far it is judged
  };
  /// Judges it beside what the caller does next.
  virtual void submit(Sample sample) = 0;

  struct Ended {
    std::string id;
    Judgement judgement;
    std::string failure;  ///< ours: there is no judgement
  };
  /// Those that have ended since the last call, each once, in any order. Does not wait.
  virtual std::vector<Ended> ended() = 0;
};

}  // namespace assay::generate
