// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/strategy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>

#include "assay/spec/nearest.h"

namespace assay::generate {
namespace {

std::map<std::string, MakeStrategy>& strategies() {
  static std::map<std::string, MakeStrategy> known;
  return known;
}

}  // namespace

bool define_strategy(const std::string& name, MakeStrategy make) { return strategies().emplace(name, make).second; }

std::unique_ptr<Strategy> make_strategy(const StrategyChoice& choice) {
  const auto found = strategies().find(choice.name);
  if (found != strategies().end()) return found->second(choice);
  std::vector<std::string> known;
  for (const auto& [strategy, make] : strategies()) known.push_back(strategy);
  throw std::runtime_error(
      fmt::format("generate: no strategy '{}'{}. known: {}", choice.name, spec::did_you_mean(choice.name, known), fmt::join(known, " ")));
}

std::size_t best_turn(const std::vector<Turn>& turns) {
  const auto rank = [&](std::size_t turn) {
    const std::optional<Judgement>& judged = turns[turn].judgement;
    const double slowest = -std::numeric_limits<double>::infinity();
    return std::tuple(judged.has_value(), judged && judged->right, judged && judged->verdict != kNoCandidate,
                      judged ? judged->speedup.value_or(slowest) : slowest, turn);
  };
  std::size_t best = 0;
  for (std::size_t turn = 1; turn < turns.size(); ++turn)
    if (rank(turn) > rank(best)) best = turn;
  return best;
}

std::string describe(const StrategyChoice& choice) {
  if (choice.name == "single") return choice.name;
  return fmt::format("{}, {} turns, feedback of {}", choice.name, choice.turns, record::name(choice.feedback));
}

}  // namespace assay::generate
