// SPDX-License-Identifier: Apache-2.0
// How samples got better, turn by turn and token by token.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::generate {

/// One judged answer of a sample.
struct TrajectoryPoint {
  std::int64_t tokens = 0;  ///< of its request and answer
  bool right = false;
  std::optional<double> speedup;  ///< the lower bound
};

/// The answers of one sample, in order.
using Trajectory = std::vector<TrajectoryPoint>;

/// What the samples had reached by one of the turns, or for a number of tokens.
struct Reached {
  std::int64_t limit = 0;         ///< the turn, or the tokens that a sample had used at most
  int samples = 0;                ///< that had an answer by then
  int right = 0;                  ///< that had a right one
  std::optional<double> speedup;  ///< geometric mean of the best lower bounds so far, of those that had one
  std::int64_t tokens = 0;        ///< of all samples so far
};

std::vector<Reached> reached_by_turn(const std::vector<Trajectory>& samples);
/// For powers of two, up to what the longest sample has used.
std::vector<Reached> reached_by_token(const std::vector<Trajectory>& samples);

/// Both as tables of text; empty where nothing was judged.
std::string trajectory_text(const std::vector<Trajectory>& samples);

}  // namespace assay::generate
