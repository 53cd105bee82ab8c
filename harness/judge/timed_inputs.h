// SPDX-License-Identifier: Apache-2.0
// What a launch is timed on. Each launch has inputs of its own: what a candidate keeps from one process to the next is of
// no use to it. Some calls, which look like any other and come at drawn places, are probes: their values are of a class that a
// kernel may be wrong on, and their times do not count.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/judge/expected.h"

namespace assay {

/// Launches are all that an effort adds to: pairs, warm-ups and probes are fixed, or a launch would mean something else.
inline constexpr int kPairs = 16;
inline constexpr int kWarmups = 2;
inline constexpr int kProbes = 2;

/// One call of both sides.
struct TimedInputs {
  PreparedCase prepared;
  bool probe = false;
};

/// Draws the launches of one shape, on all of `cpus` at once.
class TimedDraw {
 public:
  TimedDraw(const Task& task, const TimingShape& shape, std::size_t shape_index, const Seed& seed, std::string profile, std::vector<int> cpus);

  /// Inputs of one launch in the order of its calls: warm-ups, then pairs and probes. A pair is the last. Replaces those of
  /// another launch, in their memory.
  const std::vector<TimedInputs>& launch(std::size_t index);

 private:
  struct Wanted {
    std::string name;
    std::size_t probe;  ///< which class; none(): ordinary
  };
  std::size_t none() const { return classes_.size() + shape_.exact.size(); }
  std::vector<Wanted> plan(std::size_t index, const Seed& seed) const;
  std::vector<std::size_t> deal(std::size_t index) const;
  TimedInputs prepare(const Wanted& wanted, const Seed& seed) const;

  const Task& task_;
  const TimingShape& shape_;
  Seed seed_;  ///< of this shape
  std::vector<Case> classes_;
  std::vector<int> cpus_;
  std::vector<TimedInputs> inputs_;
  std::optional<std::size_t> drawn_;  ///< the launch that they are of
};

}  // namespace assay
