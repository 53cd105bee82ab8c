// SPDX-License-Identifier: Apache-2.0
// Whether a task may judge anybody: its cases must reject every altered output and accept every honest
// kernel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/cases/random.h"
#include "assay/spec/task.h"

namespace assay::admission {

/// One way of being wrong, tried on every case of a task.
struct AlterationResult {
  std::string name;
  std::size_t applied = 0;   ///< cases where it has an effect that honest kernels do not show; none is tried after one that rejects it
  std::size_t rejected = 0;  ///< of these
  std::string caught_by;     ///< the case that rejects it
  bool required = false;     ///< without effect in every case it is a defect of the task: it does not depend on something
  bool good() const { return applied > 0 ? rejected > 0 : !required; }
};

struct Admission {
  std::string task;
  cases::Seed seed;
  std::vector<AlterationResult> alterations;
  std::size_t honest_runs = 0;
  std::vector<std::string> refused_honest;  ///< each honest evaluation that was rejected: seed, order and why
  std::string degenerate;                   ///< the task's own word that it cannot be admitted; empty for others
  bool admitted() const;
  /// Admitted, or refused as a task that is marked degenerate must be; the mark excuses no rejected honest kernel.
  bool as_declared() const { return refused_honest.empty() && admitted() == degenerate.empty(); }
  /// Why not, a line each.
  std::vector<std::string> reasons() const;
};

/// Draws the task's cases from `seed` and tries all alterations; then `runs` further draws (at least one, of
/// `seed` itself), each evaluated by honest kernels: float32 with sums in two orders that the bounds have not
/// seen, and the rounded oracle.
Admission admit(const Task& task, const cases::Seed& seed, int runs);

}  // namespace assay::admission
