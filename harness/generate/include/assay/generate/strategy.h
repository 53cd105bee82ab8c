// SPDX-License-Identifier: Apache-2.0
// How a candidate comes about: what is said to the model, turn by turn. A strategy is a file in strategies/ that calls define_strategy().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assay/generate/judge.h"
#include "assay/generate/model.h"

namespace assay::generate {

struct StrategyChoice {
  std::string name = "single";
  int turns = 10;                                ///< at most, of a strategy with feedback
  record::Stage feedback = record::Stage::test;  ///< how far each of its answers is judged

  bool operator==(const StrategyChoice&) const = default;
};

/// What was answered, and what was found of it.
struct Turn {
  std::string answer;
  spec::SourceText source = {};  ///< of its candidate, where it is judged
  std::int64_t tokens = 0;
  std::optional<Judgement> judgement = {};  ///< where it is judged
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  /// What to say after these turns; nullopt: the best of their answers is the candidate. `prompt` is the task's, with the system's message.
  /// The same turns are answered the same, so that a run that was killed goes on.
  virtual std::optional<std::vector<Message>> next(const std::vector<Message>& prompt, const std::vector<Turn>& turns) const = 0;
  /// How far answers are judged before the next turn; nullopt: not at all.
  virtual std::optional<record::Stage> judges() const { return std::nullopt; }
  /// Whether the last of these answers is: it is a candidate, and no advice to oneself.
  virtual bool is_judged(const std::vector<Turn>& /*turns*/) const { return judges().has_value(); }
  virtual int most_turns() const { return 1; }
};

using MakeStrategy = std::unique_ptr<Strategy> (*)(const StrategyChoice&);

/// To be called at static initialisation. Always true.
bool define_strategy(const std::string& name, MakeStrategy make);

/// Throws std::runtime_error where there is none of that name.
std::unique_ptr<Strategy> make_strategy(const StrategyChoice& choice);

/// The best turn: one that was judged, right before wrong, with a candidate before without, faster by the lower bound, later. There is at
/// least one.
std::size_t best_turn(const std::vector<Turn>& turns);

/// "iterative, 10 turns, feedback of test"
std::string describe(const StrategyChoice& choice);

}  // namespace assay::generate
