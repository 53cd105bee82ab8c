// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/timed_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "assay/cases/profile.h"
#include "assay/sandbox/on_all.h"
#include "assay/spec/cases.h"

namespace assay::cases {
namespace {

template <class T>
void shuffle(std::vector<T>& all, RandomStream& random) {
  for (std::size_t left = all.size(); left > 1; --left) std::swap(all[left - 1], all[random.below(left)]);
}

void widen(ExpectedTensor& output, const ErrorBounds& bounds) {
  output.max_bound = std::max(output.max_bound, bounds.max);
  output.rms_bound = std::max(output.rms_bound, bounds.rms);
}

bool is_of(const PreparedCase& layout, const spec::Graph& model) {
  return std::ranges::equal(layout.outputs, model.outputs, [&](const ExpectedTensor& output, const spec::TensorSpec& spec) {
    return output.name == spec.name && output.type == spec.type && (!output.in_place || *output.in_place < model.inputs.size());
  });
}

/// With inputs of the right sizes, which nobody reads.
PreparedCase with_blank_inputs(PreparedCase layout, const spec::Task& task) {
  if (!is_of(layout, task.model))
    throw std::runtime_error(fmt::format(
        "timing: its shapes are of another model than {}'s. do: run the CTest fixture assay.{}.timing again", task.name, task.name));
  const std::vector<spec::Shape> shapes = spec::concrete_shapes(task.model.inputs, layout.dims);
  for (std::size_t i = 0; i < shapes.size(); ++i)
    layout.inputs.emplace_back(static_cast<std::size_t>(spec::element_count(shapes[i])) * spec::size_of(task.model.inputs[i].type));
  return layout;
}

}  // namespace

TimedDraw::TimedDraw(const spec::Task& task, const TimingShape& shape, std::size_t shape_index, const Seed& seed, int pairs,
                     std::string profile)
    : task_(task),
      shape_(shape),
      seed_(seed.derived(fmt::format("timing shape {}", shape_index))),
      pairs_(pairs),
      profile_(std::move(profile)),
      sized_by_values_(oracle::any_operator(task.model, [](const oracle::OperatorInfo& used) { return used.sized_by_values; })),
      layout_(with_blank_inputs(shape.layout, task)) {
  if (profile_.empty()) classes_ = spec::probes(task);  // a profile's rules know no bounds but its own
}

/// The classes in drawn order, all of them before one comes again: four launches see each.
std::vector<std::size_t> TimedDraw::deal(std::size_t index) const {
  if (kinds() == 0) return {};
  const std::size_t launches = (kinds() + kProbes - 1) / kProbes;
  std::vector<std::size_t> order(kinds());
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream random(seed_, {"classes", fmt::format("{}", index / launches)});
  shuffle(order, random);
  std::vector<std::size_t> dealt;
  for (std::size_t i = 0; i < kProbes; ++i) dealt.push_back(order[(index % launches * kProbes + i) % order.size()]);
  return dealt;
}

/// What kind each call is of.
std::vector<std::size_t> TimedDraw::plan(std::size_t index, const Seed& seed) const {
  std::vector<std::size_t> calls(static_cast<std::size_t>(pairs_) - 1, kOrdinary);
  for (const std::size_t probe : deal(index)) calls.push_back(probe);
  RandomStream random(seed, {"places of the probes"});
  shuffle(calls, random);
  calls.insert(calls.begin(), kWarmups, kOrdinary);
  calls.push_back(kOrdinary);
  return calls;
}

std::optional<PreparedCase> TimedDraw::draw_exact(const std::string& name, std::size_t which, const Seed& seed) const {
  ExactCase exact = shape_.exact[which];
  exact.name = fmt::format("{}, {}", name, exact.name);
  return prepare_exact_case(task_, seed, exact);
}

PreparedCase TimedDraw::draw(std::size_t call, std::size_t& kind, const Seed& seed) const {
  const std::string name = fmt::format("call {}", call);
  if (kind != kOrdinary && kind >= classes_.size()) {
    if (auto exact = draw_exact(name, kind - classes_.size(), seed)) return std::move(*exact);
    kind = kOrdinary;  // other values of the task leave no integers that fit: a probe like any call
  }
  const spec::Case* probe = kind == kOrdinary ? nullptr : &classes_[kind];
  PreparedCase drawn{probe != nullptr ? fmt::format("{}, {}", name, probe->name) : name,
                     sized_by_values_ ? shape_.dims : layout_.dims,  // the values say what the others are
                     layout_.dim_values,
                     draw_inputs(task_, probe != nullptr ? probe->inputs : shape_.inputs, shape_.dims, seed, name),
                     layout_.outputs,
                     0,
                     0};
  if (sized_by_values_) expect(drawn, kind);
  return drawn;
}

void TimedDraw::expect(PreparedCase& drawn, std::size_t kind) const {
  if (kind == kOrdinary) {
    set_expected(task_, drawn, {});
    for (std::size_t o = 0; o < drawn.outputs.size(); ++o)
      widen(drawn.outputs[o], {layout_.outputs.at(o).max_bound, layout_.outputs.at(o).rms_bound});
    return;
  }
  // One order finds what leaves the type's range on its way.
  set_expected(task_, drawn, {oracle::SumOrder::natural});
  const std::vector<ErrorBounds>& bounds = shape_.probes.at(classes_[kind].name);
  for (std::size_t o = 0; o < drawn.outputs.size(); ++o) widen(drawn.outputs[o], bounds.at(o));
}

Seed TimedDraw::seed_of(std::size_t index) const { return seed_.derived(fmt::format("launch {}", index)); }

/// A launch whose calls have no inputs yet.
TimedDraw::Launch TimedDraw::blank(std::size_t index) const {
  Launch launch{plan(index, seed_of(index)), {}};
  launch.inputs.pairs = static_cast<std::size_t>(pairs_);
  launch.inputs.calls.resize(launch.kinds.size());
  for (const std::size_t kind : launch.kinds) launch.inputs.probes.push_back(kind != kOrdinary);
  return launch;
}

const LaunchInputs& TimedDraw::launch(std::size_t index, const std::vector<int>& cpus) {
  if (drawn_ == index) return launch_.inputs;
  std::vector<PreparedCase> warmups = std::move(launch_.inputs.calls);  // every launch has the same
  warmups.resize(kWarmups);                                             // gives the others' memory back
  const auto ready = ahead_.extract(index);
  launch_ = ready ? std::move(ready.mapped()) : blank(index);
  std::ranges::move(warmups, launch_.inputs.calls.begin());
  const Seed seed = seed_of(index);
  std::vector<std::size_t> missing;  // a call that is drawn has a name
  for (std::size_t call = 0; call < launch_.kinds.size(); ++call)
    if (launch_.inputs.calls[call].name.empty()) missing.push_back(call);
  sandbox::on_all(cpus, missing.size(), [&](std::size_t i) {
    const std::size_t call = missing[i];
    launch_.inputs.calls[call] = draw(call, launch_.kinds[call], call < kWarmups ? seed_ : seed);
  });
  always_judged_.reset();
  if (index == 0) always_judged_ = RandomStream(seed, {"always judged"}).below(launch_.kinds.size());
  drawn_ = index;
  return launch_.inputs;
}

std::size_t TimedDraw::draw_ahead(std::size_t launches, std::size_t most_bytes, const std::vector<int>& cpus) {
  const std::size_t counted = calls() - kWarmups;
  std::size_t bytes = 0;
  for (const Bytes& input : layout_.inputs) bytes += input.size() * counted;
  if (bytes > 0) launches = std::min(launches, most_bytes / bytes);
  ahead_.clear();
  for (std::size_t index = 0; index < launches; ++index) ahead_.emplace(index, blank(index));
  sandbox::on_all(cpus, launches * counted, [&](std::size_t i) {
    const std::size_t index = i / counted, call = kWarmups + i % counted;
    Launch& launch = ahead_.at(index);
    launch.inputs.calls[call] = draw(call, launch.kinds[call], seed_of(index));
  });
  return launches;
}

bool TimedDraw::is_due(std::size_t call, const CallOutputs& given) const {
  if (given.candidate.empty()) return false;
  if (!profile_.empty() || sized_by_values_ || task_.harness.verify || call == always_judged_) return true;
  if (launch_.kinds.at(call) != kOrdinary || given.baseline.empty()) return true;
  for (std::size_t i = 0; i < layout_.outputs.size(); ++i)
    if (!is_near(shape_.near.at(i), given.candidate.at(i), given.baseline.at(i))) return true;
  return false;
}

void TimedDraw::take(std::vector<CallOutputs> given, const std::vector<int>& cpus) {
  std::vector<std::optional<Due>> due(given.size());
  sandbox::on_all(cpus, given.size(), [&](std::size_t call) {
    PreparedCase& drawn = launch_.inputs.calls.at(call);
    if (!is_due(call, given[call])) given[call] = {};
    else if (call < kWarmups) due[call] = Due{launch_.kinds[call], drawn, std::move(given[call])};
    else due[call] = Due{launch_.kinds[call], std::move(drawn), std::move(given[call])};
  });
  for (std::optional<Due>& each : due) {
    if (!each) continue;
    drawn_.reset();
    for (const auto* tensors : {&each->drawn.inputs, &each->given.candidate, &each->given.baseline})
      for (const Bytes& tensor : *tensors) due_bytes_ += tensor.size();
    due_.push_back(std::move(*each));
  }
}

TimedDraw::Judged TimedDraw::judge(Due due) const {
  const bool expected = sized_by_values_ || (due.kind != kOrdinary && due.kind >= classes_.size());
  if (!expected) expect(due.drawn, due.kind);
  Judged judged{compare_by(profile_, due.drawn, due.given.candidate), {}};
  if (!due.given.baseline.empty() && due.kind == kOrdinary) judged.witness = compare_by(profile_, due.drawn, due.given.baseline);
  return judged;
}

std::vector<TimedDraw::Judged> TimedDraw::judge_due(const std::vector<int>& cpus) {
  std::vector<Due> due = std::exchange(due_, {});
  due_bytes_ = 0;
  std::vector<Judged> judged(due.size());
  sandbox::on_all(cpus, due.size(), [&](std::size_t i) { judged[i] = judge(std::move(due[i])); });
  return judged;
}

}  // namespace assay::cases
