// SPDX-License-Identifier: Apache-2.0
// verify.cpp is for outputs that have no single right answer: the task shows one other, which must pass.
#include <fmt/format.h>

#include "rules.h"

namespace assay::admission {

void another_answer_passes(const Evidence& evidence, std::vector<Finding>& found) {
  if (!evidence.task.harness.verify) return;
  const auto refuse = [&](const std::string& reason) { found.push_back({"another right answer", reason, Finding::Excuse::none}); };
  std::size_t differs = 0;
  for (const DrawnCase& drawn : evidence.cases) {
    const cases::Verifier& verifier = *drawn.prepared.verifier;
    const auto another = verifier.another(drawn.prepared);
    if (!another)
      return refuse(
          fmt::format("{}: nothing shows that there is one. do: write ASSAY_ANOTHER(inputs, outputs) {{ ... }}, or leave "
                      "verify.cpp out and be judged by the elements",
                      verifier.file()));
    if (*another == drawn.right) continue;
    ++differs;
    if (const cases::Comparison comparison = compare(drawn.prepared, *another); !comparison.accepted)
      return refuse(
          fmt::format("{}: refuses what ASSAY_ANOTHER calls right: {}. do: mend one of them", verifier.file(), comparison.detail));
  }
  if (differs == 0) refuse("ASSAY_ANOTHER changes nothing in any case. do: have it give other outputs that are as right");
}

}  // namespace assay::admission
