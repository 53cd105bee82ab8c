// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/trajectory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace assay::generate {
namespace {

/// `counts` says whether a point, the turn-th of its sample after so many tokens of it, lies within the limit.
Reached reached(const std::vector<Trajectory>& samples, std::int64_t limit,
                const std::function<bool(std::int64_t turn, std::int64_t tokens)>& counts) {
  Reached so_far;
  so_far.limit = limit;
  double log_sum = 0;
  int timed = 0;
  for (const Trajectory& sample : samples) {
    std::int64_t turn = 0, tokens = 0;
    bool right = false;
    std::optional<double> best;
    for (const TrajectoryPoint& point : sample) {
      if (!counts(++turn, tokens + point.tokens)) break;
      so_far.samples += turn == 1 ? 1 : 0;
      tokens += point.tokens;
      right |= point.right;
      if (point.right && point.speedup && *point.speedup > 0) best = std::max(best.value_or(0), *point.speedup);
    }
    so_far.tokens += tokens;
    so_far.right += right ? 1 : 0;
    if (!best) continue;
    log_sum += std::log(*best);
    ++timed;
  }
  if (timed > 0) so_far.speedup = std::exp(log_sum / timed);
  return so_far;
}

std::string table(const char* limit, const std::vector<Reached>& rows) {
  const bool timed = std::ranges::any_of(rows, [](const Reached& row) { return row.speedup.has_value(); });
  std::string text = fmt::format("{:>14}{:>9}{:>8}{}{:>14}\n", limit, "samples", "right", timed ? "  speedup" : "", "tokens");
  for (const Reached& row : rows)
    text += fmt::format("{:>14}{:>9}{:>8}{}{:>14}\n", row.limit, row.samples, row.right,
                        !timed        ? ""
                        : row.speedup ? fmt::format("{:>9.3g}", *row.speedup)
                                      : fmt::format("{:>9}", "-"),
                        row.tokens);
  return text;
}

}  // namespace

std::vector<Reached> reached_by_turn(const std::vector<Trajectory>& samples) {
  std::size_t most = 0;
  for (const Trajectory& sample : samples) most = std::max(most, sample.size());
  std::vector<Reached> rows;
  for (std::size_t last = 1; last <= most; ++last) {
    const auto limit = static_cast<std::int64_t>(last);
    rows.push_back(reached(samples, limit, [limit](std::int64_t turn, std::int64_t) { return turn <= limit; }));
  }
  return rows;
}

std::vector<Reached> reached_by_token(const std::vector<Trajectory>& samples) {
  std::int64_t first = 0, most = 0;
  for (const Trajectory& sample : samples) {
    std::int64_t tokens = 0;
    for (const TrajectoryPoint& point : sample) tokens += point.tokens;
    most = std::max(most, tokens);
    if (!sample.empty()) first = first == 0 ? sample.front().tokens : std::min(first, sample.front().tokens);
  }
  std::vector<Reached> rows;
  if (first <= 0) return rows;  // the server does not say
  std::int64_t limit = 1;
  while (limit < first) limit *= 2;
  while (true) {
    rows.push_back(reached(samples, limit, [limit](std::int64_t, std::int64_t tokens) { return tokens <= limit; }));
    if (limit >= most) return rows;
    limit *= 2;
  }
}

std::string trajectory_text(const std::vector<Trajectory>& samples) {
  const std::vector<Reached> turns = reached_by_turn(samples), tokens = reached_by_token(samples);
  if (turns.empty()) return "";
  std::string text = "best so far by turn\n" + table("turn", turns);
  if (!tokens.empty()) text += "best so far by token\n" + table("of a sample", tokens);
  return text;
}

}  // namespace assay::generate
