// SPDX-License-Identifier: Apache-2.0
#include "assay/admission/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>

#include "alterations.h"
#include "rules.h"
#include "waivers.h"

namespace assay::admission {
namespace {

using cases::as_values, cases::Bytes, cases::compare, cases::Comparison, cases::draw_inputs, cases::each_case, cases::evaluate_honestly,
    cases::ExpectedTensor, cases::PreparedCase, cases::Seed, cases::seed_text, cases::worst_errors;
using spec::Task;

/// What a kernel would leave of the inputs that another seed draws; nothing where a case has no such draw.
std::optional<Outputs> stale_outputs(const Task& task, const PreparedCase& prepared, const Seed& seed) {
  const auto entry = std::ranges::find(task.cases, prepared.name, &spec::Case::name);
  if (entry == task.cases.end()) return {};
  const auto inputs = draw_inputs(task, entry->inputs, prepared.dims, seed.derived("stale"), prepared.name);
  const auto shapes = spec::concrete_shapes(task.model.inputs, prepared.dims);
  const auto values = oracle::evaluate<double>(task.model, prepared.dims, as_values<double>(task.model.inputs, shapes, inputs));
  for (std::size_t i = 0; i < values.size(); ++i)  // an output's shape may depend on values
    if (values[i].shape() != prepared.outputs[i].shape) return {};
  return stored(values, prepared);
}

struct HonestOrder {
  oracle::SumOrder order;
  const char* name;
};
/// The bounds have not seen these.
constexpr HonestOrder kHonest[] = {{oracle::SumOrder::strided, "strided"}, {oracle::SumOrder::blocked, "blocked"}};

/// The same case with bounds of four times what honest evaluations show in it: what they accept is no effect, it cannot be told from
/// rounding.
PreparedCase as_shown(const Task& task, const PreparedCase& prepared) {
  PreparedCase shown{prepared.name, prepared.dims, prepared.dim_values, {}, prepared.outputs, 0, 0};  // no verifier: by the elements
  for (ExpectedTensor& output : shown.outputs) {
    if (output.max_bound == 0) continue;
    output.max_bound = 0;
    output.rms_bound = std::numeric_limits<double>::infinity();
  }
  for (const HonestOrder& honest : kHonest) {
    const auto errors = worst_errors(task, prepared, honest.order);
    for (std::size_t i = 0; i < errors.size(); ++i)
      if (prepared.outputs[i].max_bound > 0) shown.outputs[i].max_bound = std::max(shown.outputs[i].max_bound, 4 * errors[i]);
  }
  return shown;
}

std::vector<Alteration> alterations_of(const Task& task) {
  std::vector<Alteration> all = output_alterations();
  if (task.harness.verify) {
    // Bounds of elements are not what verify.cpp holds outputs to.
    std::erase_if(all, [](const Alteration& alteration) { return alteration.name == kOffByBounds; });
    for (Alteration& alteration : all) alteration.may_be_waived = alteration.keeps_numbers;
    for (Alteration& alteration : verified_alterations()) all.push_back(std::move(alteration));
  }
  for (auto* more : {input_alterations, model_alterations})
    for (Alteration& alteration : more(task)) all.push_back(std::move(alteration));
  return all;
}

/// Whether the altered model means anything in the case: where shapes do not fit or an index leaves its table, nobody computes it.
bool try_in_case(const Alteration& alteration, const Subject& subject, const PreparedCase& shown, AlterationResult& result) {
  const auto altered = alteration.apply(subject);
  if (!altered) return false;
  if (*altered == subject.right) return true;
  const Comparison comparison = altered->empty() ? Comparison{false} : compare(subject.prepared, *altered);
  if (!comparison.unverifiable.empty()) result.unverifiable = fmt::format("case '{}': {}", subject.prepared.name, comparison.unverifiable);
  const bool rejected = !comparison.accepted;
  if (!rejected && compare(shown, *altered).accepted) return true;
  ++result.applied;
  if (rejected && result.rejected++ == 0) result.caught_by = subject.prepared.name;
  return true;
}

/// From here on an evaluation is costly: what has meant nothing, or had no effect that it must have, in some cases is not tried again.
constexpr double kCostly = 5e7;
constexpr int kInVain = 3;

/// Tries each alteration on one case after the other until one rejects it.
class Trials {
 public:
  Trials(const Task& task, std::vector<Alteration> alterations, const Seed& seed, std::vector<AlterationResult>& results)
      : task_(task), seed_(seed), alterations_(std::move(alterations)), results_(results), in_vain_(alterations_.size()) {
    for (const Alteration& alteration : alterations_)
      results_.push_back({alteration.name, true, 0, 0, {}, alteration.required, alteration.may_be_waived, {}, {}});
  }

  void run(const PreparedCase& prepared) {
    std::vector<std::size_t> pending;
    for (std::size_t a = 0; a < alterations_.size(); ++a)
      if (results_[a].rejected == 0 && (prepared.flops < kCostly || in_vain_[a] < kInVain)) pending.push_back(a);
    if (pending.empty()) return;
    const auto stale = stale_outputs(task_, prepared, seed_);
    const PreparedCase shown = as_shown(task_, prepared);
    const RecordedRun recorded(task_.model, prepared.dims, inputs_of(prepared, task_));
    const Outputs right = stored(recorded.outputs(), prepared);
    const Subject subject{task_, prepared, right, stale ? &*stale : nullptr, seed_, recorded};
    for (const std::size_t a : pending) {
      const bool means = try_in_case(alterations_[a], subject, shown, results_[a]);
      results_[a].everywhere = results_[a].everywhere && means;
      if (!means || (!alterations_[a].required && results_[a].applied == 0)) ++in_vain_[a];
    }
  }

 private:
  const Task& task_;
  Seed seed_;
  std::vector<Alteration> alterations_;
  std::vector<AlterationResult>& results_;
  std::vector<int> in_vain_;
};

void check_honest(const Task& task, const PreparedCase& prepared, const Seed& seed, Admission& admission) {
  const auto check = [&](const std::string& kernel, const Outputs& outputs) {
    const Comparison comparison = compare(prepared, outputs);
    if (!comparison.accepted)
      admission.refused_honest.push_back(fmt::format("seed {}: {}: {}", seed_text(seed), kernel, comparison.detail));
  };
  check("the rounded oracle", right_outputs(prepared));
  for (const auto& [order, name] : kHonest) check(name, evaluate_honestly(task, prepared, order));
  if (!task.model.compute) return;
  for (const auto& [order, name] : kHonest) {
    check(fmt::format("{}, without roundings between operators", name), evaluate_honestly(task, prepared, order, oracle::Rounding::none));
    check(fmt::format("{}, with some of them", name), evaluate_honestly(task, prepared, order, oracle::Rounding::some));
  }
}

/// A draw of the cases for the rules, which look at several at once. Those of a large model would fill the memory: the first ones do.
class Draw {
 public:
  Draw(const Task& task, const Seed& seed) : evidence_{task, seed, {}} {}

  void keep(PreparedCase prepared) {
    for (const Bytes& input : prepared.inputs) bytes_ += input.size();
    if (evidence_.cases.size() >= kAlways && bytes_ > kMostBytes) return;
    auto stale = stale_outputs(evidence_.task, prepared, evidence_.seed);
    Outputs right = right_outputs(prepared);
    auto run = std::make_unique<RecordedRun>(evidence_.task.model, prepared.dims, inputs_of(prepared, evidence_.task));
    evidence_.cases.push_back({std::move(prepared), std::move(right), std::move(stale), std::move(run)});
  }
  const Evidence& evidence() const { return evidence_; }

 private:
  static constexpr std::size_t kAlways = 3, kMostBytes = std::size_t{128} << 20;
  Evidence evidence_;
  std::size_t bytes_ = 0;
};

std::vector<Finding> follow_rules(const Draw& draw) {
  std::vector<Finding> found;
  for (const Rule& rule : all_rules()) rule.check(draw.evidence(), found);
  return found;
}

/// Whether some further draw shows what a waiver is for: what one draw happens to catch is no reason to refuse the waiver.
bool shows_in_another_draw(const Task& task, const Seed& seed, const std::string& name) {
  constexpr int kDraws = 4;
  std::vector<Alteration> meant = alterations_of(task);
  std::erase_if(meant, [&](const Alteration& alteration) { return alteration.name != name; });
  for (int n = 1; n <= kDraws; ++n) {
    const Seed drawn = seed.derived(fmt::format("waiver {}", n));
    std::vector<AlterationResult> results;
    Trials trials(task, meant, drawn, results);
    Draw draw{task, drawn};
    each_case(task, drawn, [&](PreparedCase prepared) {
      trials.run(prepared);
      draw.keep(std::move(prepared));
    });
    if (!std::ranges::all_of(results, &AlterationResult::caught)) return true;
    const auto found = follow_rules(draw);
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
    if (!alteration.unverifiable.empty()) {
      lines.push_back(fmt::format("{}: verify.cpp cannot judge it: {}. do: have it judge all outputs; index() checks what is an index",
                                  alteration.name, alteration.unverifiable));
      continue;
    }
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
  oracle::keep_blocks(64 << 20);
  Trials trials(task, alterations_of(task), seed, admission.alterations);
  Draw draw{task, seed};
  for (int run = 0; run < runs; ++run, ++admission.honest_runs) {
    const Seed drawn = run == 0 ? seed : seed.derived(fmt::format("run {}", run));
    each_case(task, drawn, [&](PreparedCase prepared) {
      check_honest(task, prepared, drawn, admission);
      if (run > 0) return;
      trials.run(prepared);
      draw.keep(std::move(prepared));
    });
  }
  admission.findings = follow_rules(draw);
  waive(
      task, [&](const std::string& name) { return shows_in_another_draw(task, seed, name); }, admission);
  return admission;
}

}  // namespace assay::admission
