// SPDX-License-Identifier: Apache-2.0
// A run that was recorded, as a model: no network, the same answers.
#pragma once

#include <filesystem>
#include <map>
#include <string>

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

}  // namespace assay::generate
