// SPDX-License-Identifier: Apache-2.0
// The stages of `assay score` as the judge of a run of `assay generate`.
#pragma once

#include <memory>
#include <string>

#include "assay/generate/judge.h"
#include "assay/score/scorer.h"

namespace assay::command {

class ScoringJudge : public generate::Judge {
 public:
  /// Throws std::runtime_error where the build tree cannot be used.
  ScoringJudge(score::ScorerOptions options, std::string backend);
  ~ScoringJudge() override;

  void submit(Sample sample) override;
  std::vector<Ended> ended() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::command
