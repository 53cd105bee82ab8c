// SPDX-License-Identifier: Apache-2.0
// A run that was recorded, as a model and as a judge: no network, no compiler, the same answers and verdicts.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "assay/generate/judge.h"
#include "assay/generate/model.h"

namespace assay::generate {

class Replay : public Model {
 public:
  /// `folder` holds answers.jsonl. Throws std::runtime_error.
  explicit Replay(const std::filesystem::path& folder);

  /// A request that was not recorded, or whose prompt was another one, fails.
  void ask(const Next& next, const Done& done, const Round& round) override;

 private:
  struct Recorded {
    std::string prompt;
    Reply reply;
  };
  std::filesystem::path folder_;
  std::map<std::string, Recorded> recorded_;  ///< by request
};

class ReplayedJudge : public Judge {
 public:
  /// `folder` holds verdicts.jsonl. Throws std::runtime_error.
  explicit ReplayedJudge(const std::filesystem::path& folder);

  /// A candidate that was not judged, or whose source was another one, has no judgement.
  void submit(Sample sample) override;
  std::vector<Ended> ended() override;

 private:
  struct Recorded {
    std::string source;
    Judgement judgement;
  };
  std::filesystem::path folder_;
  std::map<std::string, Recorded> recorded_;  ///< by request
  std::vector<Ended> ended_;
};

}  // namespace assay::generate
