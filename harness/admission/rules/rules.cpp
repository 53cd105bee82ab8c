// SPDX-License-Identifier: Apache-2.0
#include "rules.h"

#include <algorithm>

namespace assay::admission {

std::span<const Rule> all_rules() {
  static constexpr Rule kRules[] = {{"inputs_are_read", inputs_are_read},
                                    {"parts_are_read", parts_are_read},
                                    {"outputs_vary", outputs_vary},
                                    {"outputs_follow_inputs", outputs_follow_inputs},
                                    {"outputs_are_no_copies", outputs_are_no_copies},
                                    {"outputs_take_many_values", outputs_take_many_values},
                                    {"outputs_are_judged", outputs_are_judged},
                                    {"outputs_have_elements", outputs_have_elements},
                                    {"dimensions_vary", dimensions_vary},
                                    {"cases_are_large_enough", cases_are_large_enough},
                                    {"timing_is_large_enough", timing_is_large_enough},
                                    {"updates_may_come_in_any_order", updates_may_come_in_any_order},
                                    {"factors_are_unique", factors_are_unique},
                                    {"another_answer_passes", another_answer_passes},
                                    {"torch_line_names_inputs", torch_line_names_inputs}};
  return kRules;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const Rule& rule : all_rules()) names.emplace_back(rule.name);
  return names;
}

Noticed most_noticed(const Evidence& evidence, const std::function<std::optional<Outputs>(const Subject&, std::size_t)>& change) {
  Noticed most = Noticed::untried;
  for (std::size_t c = 0; c < evidence.cases.size() && most != Noticed::rejected; ++c) {
    const Subject subject = evidence.subject(c);
    const auto changed = change(subject, c);
    if (!changed) continue;
    const Noticed here = *changed == subject.right                                           ? Noticed::unchanged
                         : changed->empty() || !compare(subject.prepared, *changed).accepted ? Noticed::rejected
                                                                                             : Noticed::accepted;
    most = std::max(most, here);
  }
  return most;
}

const spec::Case* declared_case(const Evidence& evidence, const cases::PreparedCase& prepared) {
  const auto entry = std::ranges::find(evidence.task.cases, prepared.name, &spec::Case::name);
  return entry == evidence.task.cases.end() ? nullptr : &*entry;
}

}  // namespace assay::admission
