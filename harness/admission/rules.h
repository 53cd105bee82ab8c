// SPDX-License-Identifier: Apache-2.0
// What a task must be so that its cases can judge at all. Alterations ask whether a wrong kernel is noticed; a rule asks whether the
// drawn inputs, the right outputs and the timing shapes leave anything to notice. To add a rule, define a function in rules/*.cpp, and
// name it in rules/rules.cpp; tests/admission has a bad task for each.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alterations.h"
#include "assay/admission/admission.h"

namespace assay::admission {

/// One of a task's drawn cases, and what it expects.
struct DrawnCase {
  cases::PreparedCase prepared;
  Outputs right;
  std::optional<Outputs> stale;  ///< right for inputs of another draw; nothing where there is none of the same shapes
  std::unique_ptr<RecordedRun> run;
};

struct Evidence {
  const spec::Task& task;
  cases::Seed seed;
  std::vector<DrawnCase> cases;

  Subject subject(std::size_t number) const {
    const DrawnCase& drawn = cases[number];
    return {task, drawn.prepared, drawn.right, drawn.stale ? &*drawn.stale : nullptr, seed, *drawn.run};
  }
};

struct Rule {
  const char* name;
  void (*check)(const Evidence& evidence, std::vector<Finding>& found);
};
std::span<const Rule> all_rules();

/// How far the cases tell changed outputs from the right ones.
enum class Noticed { untried, unchanged, accepted, rejected };

/// change(case, its number) gives changed outputs, or nothing where it does not apply. The most that any case notices; no case is
/// tried after one that rejects.
Noticed most_noticed(const Evidence& evidence,
                     const std::function<std::optional<Outputs>(const Subject& subject, std::size_t number)>& change);

/// The case of task.yaml that was drawn; nullptr for those that admission adds (exact integers).
const spec::Case* declared_case(const Evidence& evidence, const cases::PreparedCase& prepared);

// Each in rules/: inputs_are_read.cpp, outputs_tell.cpp, sizes.cpp, order.cpp, factorisation.cpp, verified.cpp, torch_names.cpp.
void inputs_are_read(const Evidence& evidence, std::vector<Finding>& found);
void parts_are_read(const Evidence& evidence, std::vector<Finding>& found);
void outputs_vary(const Evidence& evidence, std::vector<Finding>& found);
void outputs_follow_inputs(const Evidence& evidence, std::vector<Finding>& found);
void outputs_are_no_copies(const Evidence& evidence, std::vector<Finding>& found);
void outputs_take_many_values(const Evidence& evidence, std::vector<Finding>& found);
void outputs_are_judged(const Evidence& evidence, std::vector<Finding>& found);
void outputs_have_elements(const Evidence& evidence, std::vector<Finding>& found);
void dimensions_vary(const Evidence& evidence, std::vector<Finding>& found);
void cases_are_large_enough(const Evidence& evidence, std::vector<Finding>& found);
void timing_is_large_enough(const Evidence& evidence, std::vector<Finding>& found);
void updates_may_come_in_any_order(const Evidence& evidence, std::vector<Finding>& found);
void factors_are_unique(const Evidence& evidence, std::vector<Finding>& found);
void another_answer_passes(const Evidence& evidence, std::vector<Finding>& found);
void torch_line_names_inputs(const Evidence& evidence, std::vector<Finding>& found);

}  // namespace assay::admission
