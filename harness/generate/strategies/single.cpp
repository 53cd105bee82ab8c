// SPDX-License-Identifier: Apache-2.0
// One prompt, one answer.
#include "assay/generate/strategy.h"

namespace assay::generate {
namespace {

class Single : public Strategy {
 public:
  std::optional<std::vector<Message>> next(const std::vector<Message>& prompt, const std::vector<Turn>& turns) const override {
    return turns.empty() ? std::optional(prompt) : std::nullopt;
  }
};

const bool single_defined =
    define_strategy("single", [](const StrategyChoice&) { return std::unique_ptr<Strategy>(std::make_unique<Single>()); });

}  // namespace
}  // namespace assay::generate
