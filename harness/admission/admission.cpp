// SPDX-License-Identifier: Apache-2.0
#include "assay/admission/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "alterations.h"
#include "rules.h"
#include "waivers.h"

namespace assay::admission {
namespace {

using cases::CaseFile, cases::compare, cases::Comparison, cases::draw_inputs, cases::evaluate_honestly, cases::prepare_all,
    cases::prepare_case, cases::PreparedCase, cases::Seed, cases::seed_text;

/// What a kernel would leave of the inputs that another seed draws, by case.
std::map<std::string, Outputs> stale_outputs(const Task& task, const CaseFile& file) {
  std::map<std::string, Outputs> stale;
  for (const PreparedCase& prepared : file.cases) {
    const auto entry = std::ranges::find(task.cases, prepared.name, &Case::name);
    if (entry == task.cases.end()) continue;
    auto inputs = draw_inputs(task, entry->inputs, prepared.dims, file.seed.derived("stale"), prepared.name);
    Outputs outputs = right_outputs(prepare_case(task, prepared.name, prepared.dims, std::move(inputs), {}));
    bool same_shapes = true;  // an output's shape may depend on values
    for (std::size_t i = 0; i < outputs.size(); ++i) same_shapes = same_shapes && outputs[i].size() == prepared.outputs[i].bytes();
    if (same_shapes) stale[prepared.name] = std::move(outputs);
  }
  return stale;
}

AlterationResult try_alteration(const Alteration& alteration, const Task& task, const CaseFile& file, const std::vector<Outputs>& right,
                                const std::map<std::string, Outputs>& stale) {
  AlterationResult result{alteration.name, true, 0, 0, {}, alteration.required, alteration.may_be_waived, {}};
  for (std::size_t c = 0; c < file.cases.size(); ++c) {
    const PreparedCase& prepared = file.cases[c];
    const auto before = stale.find(prepared.name);
    const auto altered = alteration.apply({task, prepared, right[c], before == stale.end() ? nullptr : &before->second, file.seed});
    result.everywhere = result.everywhere && altered.has_value();
    if (!altered || *altered == right[c]) continue;
    ++result.applied;
    if (!altered->empty() && compare(prepared, *altered).accepted) continue;
    if (result.rejected++ == 0) result.caught_by = prepared.name;
  }
  return result;
}

struct HonestOrder {
  SumOrder order;
  const char* name;
};
constexpr HonestOrder kHonest[] = {{SumOrder::natural, "natural"},   {SumOrder::sequential, "sequential"}, {SumOrder::reversed, "reversed"},
                                   {SumOrder::pairwise, "pairwise"}, {SumOrder::strided, "strided"},       {SumOrder::blocked, "blocked"}};

void check_honest(const Task& task, const CaseFile& file, Admission& admission) {
  ++admission.honest_runs;
  for (const PreparedCase& prepared : file.cases) {
    const auto check = [&](const char* kernel, const Outputs& outputs) {
      const Comparison comparison = compare(prepared, outputs);
      if (!comparison.accepted)
        admission.refused_honest.push_back(fmt::format("seed {}: {}: {}", seed_text(file.seed), kernel, comparison.detail));
    };
    check("the rounded oracle", right_outputs(prepared));
    for (const auto& [order, name] : kHonest) check(name, evaluate_honestly(task, prepared, order));
  }
}

std::vector<Alteration> alterations_of(const Task& task) {
  std::vector<Alteration> all = output_alterations();
  for (auto* more : {input_alterations, model_alterations})
    for (Alteration& alteration : more(task)) all.push_back(std::move(alteration));
  return all;
}

/// One draw of a task's cases.
struct Draw {
  CaseFile file;
  std::vector<Outputs> right;
  std::map<std::string, Outputs> stale;
};

Draw draw_cases(const Task& task, const Seed& seed) {
  Draw draw{prepare_all(task, seed), {}, {}};
  for (const PreparedCase& prepared : draw.file.cases) draw.right.push_back(right_outputs(prepared));
  draw.stale = stale_outputs(task, draw.file);
  return draw;
}

std::vector<Finding> follow_rules(const Task& task, const Draw& draw) {
  std::vector<Finding> found;
  for (const Rule& rule : all_rules()) rule.check({task, draw.file, draw.right, draw.stale}, found);
  return found;
}

/// Whether some further draw shows what a waiver is for: what one draw happens to catch is no reason to refuse the waiver.
bool shows_in_another_draw(const Task& task, const Seed& seed, const std::string& name) {
  constexpr int kDraws = 4;
  for (int n = 1; n <= kDraws; ++n) {
    const Draw draw = draw_cases(task, seed.derived(fmt::format("waiver {}", n)));
    for (const Alteration& alteration : alterations_of(task))
      if (alteration.name == name && !try_alteration(alteration, task, draw.file, draw.right, draw.stale).caught()) return true;
    const auto found = follow_rules(task, draw);
    if (std::ranges::find(found, name, &Finding::name) != found.end()) return true;
  }
  return false;
}

}  // namespace

bool Admission::admitted() const {
  return refused_honest.empty() && bad_waivers.empty() && std::ranges::all_of(alterations, &AlterationResult::good) &&
         std::ranges::none_of(findings, [](const Finding& finding) { return finding.waived.empty(); });
}

bool Admission::as_declared() const {
  const bool excused = std::ranges::none_of(findings, [](const Finding& finding) { return finding.excuse == Finding::Excuse::none; });
  return refused_honest.empty() && bad_waivers.empty() && excused && admitted() == degenerate.empty();
}

std::vector<std::string> Admission::reasons() const {
  std::vector<std::string> lines;
  if (admitted() && !degenerate.empty()) lines.push_back("degenerate: nothing shows it any more. do: remove the mark from task.yaml");
  for (const AlterationResult& alteration : alterations) {
    if (alteration.good()) continue;
    lines.push_back(alteration.applied == 0
                        ? fmt::format("{}: has no effect in any case. do: draw inputs on which it matters, or leave it "
                                      "out of the model",
                                      alteration.name)
                        : fmt::format("{}: accepted in all {} cases where it has an effect. do: add a case that shows it", alteration.name,
                                      alteration.applied));
  }
  for (const Finding& finding : findings)
    if (finding.waived.empty()) lines.push_back(fmt::format("{}: {}", finding.name, finding.reason));
  std::ranges::copy(bad_waivers, std::back_inserter(lines));
  for (const std::string& refused : refused_honest) lines.push_back("honest kernel rejected: " + refused);
  return lines;
}

Admission admit(const Task& task, const Seed& seed, int runs) {
  Admission admission{task.name, seed, {}, {}, {}, 0, {}, task.degenerate};
  const Draw draw = draw_cases(task, seed);
  for (const Alteration& alteration : alterations_of(task))
    admission.alterations.push_back(try_alteration(alteration, task, draw.file, draw.right, draw.stale));
  admission.findings = follow_rules(task, draw);
  waive(
      task, [&](const std::string& name) { return shows_in_another_draw(task, seed, name); }, admission);
  check_honest(task, draw.file, admission);
  for (int run = 1; run < runs; ++run) check_honest(task, prepare_all(task, seed.derived(fmt::format("run {}", run))), admission);
  return admission;
}

}  // namespace assay::admission
