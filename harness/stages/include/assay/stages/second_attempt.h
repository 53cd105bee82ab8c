// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "assay/timing/paired_timing.h"

namespace assay::stages {

/// A box that somebody has killed, or the kernel for want of memory, costs a candidate nothing: what it was started for is attempted again.
/// That happens once in a stage, so that no candidate chooses among its launches.
class SecondAttempt {
 public:
  template <class Attempt>
  void unless_killed(Attempt attempt) {
    try {
      return attempt();
    } catch (const timing::CandidateFailed& failed) {
      if (!failed.failure.killed || std::exchange(made_, true)) throw;
    }
    attempt();
  }

 private:
  bool made_ = false;
};

}  // namespace assay::stages
