// SPDX-License-Identifier: Apache-2.0
// What a launch is timed on. Pairs and probes have inputs of their own in each launch: what a candidate keeps from one process to the
// next is of no use to it. Warm-ups, which do not count, are the same in all launches. Some calls, which look like any other and come at
// drawn places, are probes: their values are of a class that a kernel may be wrong on, and their times do not count.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/cases/expected.h"

namespace assay::cases {

/// Of each launch, beside its pairs.
inline constexpr int kWarmups = 2;
inline constexpr int kProbes = 2;

/// The calls of one launch, in their order: warm-ups, then pairs and probes. A pair is the last.
struct LaunchInputs {
  std::vector<PreparedCase> calls;  ///< each with its inputs, and with the sizes of its outputs
  std::vector<bool> probes;         ///< which of them are
  std::size_t pairs = 0;
};

/// Outputs of one call; the baseline's where it is a witness.
struct CallOutputs {
  std::vector<Bytes> candidate, baseline;
};

/// Draws the launches of one shape. Inputs alone: what is expected of a call is evaluated when it is judged and has to be, so that one
/// call's for each processor is in memory.
class TimedDraw {
 public:
  /// `pairs`: of each launch.
  TimedDraw(const spec::Task& task, const TimingShape& shape, std::size_t shape_index, const Seed& seed, int pairs, std::string profile);
  TimedDraw(const TimedDraw&) = delete;
  TimedDraw& operator=(const TimedDraw&) = delete;

  /// A case of this shape, with its sizes and its cost; its inputs and outputs have no values.
  const PreparedCase& layout() const { return layout_; }

  /// Replaces the calls of another launch, in their memory. They are drawn on all of `cpus` at once, where draw_ahead() has not.
  const LaunchInputs& launch(std::size_t index, const std::vector<int>& cpus);
  /// Draws that many launches, from the first on, or as many as fit in `most_bytes`, on all of `cpus` at once. Returns how many.
  std::size_t draw_ahead(std::size_t launches, std::size_t most_bytes, const std::vector<int>& cpus);
  /// How many a launch has.
  std::size_t calls() const { return kWarmups + static_cast<std::size_t>(pairs_) + (kinds() == 0 ? 0 : kProbes); }

  /// Takes what the calls of the last launch() gave; of a call without outputs nothing. Outputs near to the witness's (nearness.h) are
  /// accepted at once; others, probes, and one drawn call of the first launch are due to be judged, and take their inputs along: a launch
  /// of the same index draws anew.
  void take(std::vector<CallOutputs> given, const std::vector<int>& cpus);

  /// Whether outputs are what is expected: the oracle decides, of the witness as well, but not in probes, where nobody believes it: a
  /// framework's NaN may differ.
  struct Judged {
    Comparison outputs, witness;
  };
  /// Of all calls that are due, in the order of launches and calls; on all of `cpus` at once. None is due then.
  std::vector<Judged> judge_due(const std::vector<int>& cpus);
  std::size_t due_calls() const { return due_.size(); }
  /// What they hold: inputs, outputs and witnesses.
  std::size_t due_bytes() const { return due_bytes_; }

 private:
  static constexpr std::size_t kOrdinary = ~std::size_t{0};
  /// A call that is due.
  struct Due {
    std::size_t kind;
    PreparedCase drawn;
    CallOutputs given;
  };
  /// Calls of a launch, and what kind each is of: kOrdinary, or which class of values, or which case on integers.
  struct Launch {
    std::vector<std::size_t> kinds;
    LaunchInputs inputs;
  };
  std::size_t kinds() const { return classes_.size() + shape_.exact.size(); }
  std::vector<std::size_t> plan(std::size_t index, const Seed& seed) const;
  std::vector<std::size_t> deal(std::size_t index) const;
  Seed seed_of(std::size_t index) const;
  Launch blank(std::size_t index) const;
  PreparedCase draw(std::size_t call, std::size_t& kind, const Seed& seed) const;
  std::optional<PreparedCase> draw_exact(const std::string& name, std::size_t which, const Seed& seed) const;
  void expect(PreparedCase& drawn, std::size_t kind) const;
  bool is_due(std::size_t call, const CallOutputs& given) const;
  Judged judge(Due due) const;

  const spec::Task& task_;
  const TimingShape& shape_;
  Seed seed_;  ///< of this shape
  int pairs_;
  std::string profile_;
  std::vector<spec::Case> classes_;
  bool sized_by_values_;  ///< how large outputs are is known when they have been evaluated
  PreparedCase layout_;
  Launch launch_;
  std::map<std::size_t, Launch> ahead_;       ///< without warm-ups
  std::optional<std::size_t> drawn_;          ///< which launch_ is, where nobody has taken inputs along
  std::optional<std::size_t> always_judged_;  ///< by the oracle, however near it is
  std::vector<Due> due_;
  std::size_t due_bytes_ = 0;
};

}  // namespace assay::cases
