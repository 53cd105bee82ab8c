// SPDX-License-Identifier: Apache-2.0
// Whether a task may judge anybody: its cases must reject every altered output, accept every honest kernel, and follow the rules
// that make them cases at all.
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
  bool everywhere = true;    ///< it means something in every case: nobody computes what leaves a table, or shapes that do not fit
  std::size_t applied = 0;   ///< cases where it has an effect that honest kernels do not show; none is tried after one that rejects it
  std::size_t rejected = 0;  ///< of these, by their values or by their shapes
  std::string caught_by;     ///< the case that rejects it
  bool required = false;     ///< without effect in every case it is a defect of the task: it does not depend on something
  bool may_be_waived = false;
  std::string unverifiable = {};  ///< the case, and what verify.cpp does instead of judging it
  std::string waived = {};        ///< why the task says that it need not be caught; empty: it must
  bool caught() const { return applied > 0 ? rejected > 0 : !required || !everywhere; }
  bool good() const { return unverifiable.empty() && (caught() || !waived.empty()); }
};

/// What a rule has against the task.
struct Finding {
  /// What may outweigh it: nothing; the mark `degenerate`; that, or a waiver.
  enum class Excuse { none, degenerate, waiver };
  std::string name;    ///< what a waiver calls it
  std::string reason;  ///< what is wrong and what to do
  Excuse excuse = Excuse::none;
  std::string waived = {};  ///< why the task says that it is right all the same; empty: it counts
};

struct Admission {
  std::string task;
  cases::Seed seed;
  std::vector<AlterationResult> alterations;
  std::vector<Finding> findings;
  std::vector<std::string> bad_waivers;  ///< file, line, column: waivers that excuse nothing
  std::size_t honest_runs = 0;
  std::vector<std::string> refused_honest;  ///< each honest evaluation that was rejected: seed, order and why
  std::string degenerate;                   ///< the task's own word that it cannot be admitted; empty for others
  bool admitted() const;
  /// Admitted, or refused as a task that is marked degenerate must be; the mark excuses no rejected honest kernel.
  bool as_declared() const;
  /// Why not, a line each.
  std::vector<std::string> reasons() const;
};

/// Of the rules beside the alterations.
std::vector<std::string> rule_names();

/// Draws the task's cases from `seed` and tries all alterations; then `runs` further draws (at least one, of
/// `seed` itself), each evaluated by honest kernels: float32 with sums in two orders that the bounds have not
/// seen, and the rounded oracle.
Admission admit(const spec::Task& task, const cases::Seed& seed, int runs);

}  // namespace assay::admission
