// SPDX-License-Identifier: Apache-2.0
// One conversation: each answer is judged, and the model is asked again with what it may be told. With feedback of `compile` (as NPUEval
// has it) or `test` it ends with the first answer that passes; with `bench` it goes on to its last turn, for faster code.
#include <fmt/format.h>

#include <algorithm>

#include "assay/generate/strategy.h"

namespace assay::generate {
namespace {

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

std::string about_the_best(const std::vector<Turn>& turns) {
  const std::size_t best = best_turn(turns);
  if (turns.size() == 1 || !turns[best].judgement->right) return "";
  const std::string speed =
      turns[best].judgement->speedup ? fmt::format(", with a speedup of at least {:.2g}", *turns[best].judgement->speedup) : "";
  return fmt::format("Your best answer so far is number {}{}.\n", best + 1, speed);
}

class Iterative : public Strategy {
 public:
  explicit Iterative(const StrategyChoice& choice) : choice_(choice) {}

  std::optional<std::vector<Message>> next(const std::vector<Message>& prompt, const std::vector<Turn>& turns) const override {
    if (turns.size() >= static_cast<std::size_t>(choice_.turns)) return std::nullopt;
    if (choice_.feedback != record::Stage::bench && !turns.empty() && turns.back().judgement->right) return std::nullopt;
    std::vector<Message> messages = prompt;
    for (std::size_t said = 1; said <= turns.size(); ++said) {
      const Turn& turn = turns[said - 1];
      messages.push_back({"assistant", is_blank(turn.answer) ? "(no answer)" : turn.answer});  // servers refuse an empty message
      messages.push_back({"user", reply_to({turns.begin(), turns.begin() + static_cast<std::ptrdiff_t>(said)})});
    }
    return messages;
  }

  std::optional<record::Stage> judges() const override { return choice_.feedback; }
  int most_turns() const override { return choice_.turns; }

 private:
  /// To the last of the turns.
  std::string reply_to(const std::vector<Turn>& turns) const {
    const Judgement& judged = *turns.back().judgement;
    const bool faster = choice_.feedback == record::Stage::bench;
    return fmt::format("Your answer was judged:\n\n{}\n{}{} Answer with one code block that contains the whole file again.",
                       judged.feedback, faster ? about_the_best(turns) : "",
                       judged.right ? "Make it faster, and keep it right." : "Find what is wrong, and correct it.");
  }

  StrategyChoice choice_;
};

const bool iterative_defined = define_strategy(
    "iterative", [](const StrategyChoice& choice) { return std::unique_ptr<Strategy>(std::make_unique<Iterative>(choice)); });

}  // namespace
}  // namespace assay::generate
