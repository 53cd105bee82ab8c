// SPDX-License-Identifier: Apache-2.0
// The build's own JSON: a plan, and the stored result of a compilation. Damaged ones are refused by name.
#include "assay/plan/plan.h"

#include "assay/compile/compile_record.h"
#include "property.h"

namespace assay::plan_target {

FUZZ_TARGET(plan) {
  const std::string_view text = text_of(data, size);
  accepts<std::runtime_error>("plan ", [&] {
    const plan::Plan plan = plan::parse_plan(text, "some.plan.json");
    require(plan.task.difficulty >= 1 && plan.task.difficulty <= 5, "a difficulty is 1 to 5");
  });
  accepts<std::runtime_error>("some.compile.json", [&] {
    const compile::StoredCompilation stored = compile::parse_compilation(text, "some.compile.json");
    require(stored.record.difficulty >= 1 && stored.record.difficulty <= 5, "a stored record is a record");
    require(compile::to_text(compile::parse_compilation(compile::to_text(stored), "again")) == compile::to_text(stored),
            "a stored result comes back as it was");
  });
  return 0;
}

}  // namespace assay::plan_target
