// SPDX-License-Identifier: Apache-2.0
#include "timed_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>

#include "assay/judge/machine.h"
#include "assay/spec/cases.h"

namespace assay {
namespace {

template <class T>
void shuffle(std::vector<T>& all, RandomStream& random) {
  for (std::size_t left = all.size(); left > 1; --left) std::swap(all[left - 1], all[random.below(left)]);
}

/// work(i) for each i below `count`, on a thread for each of `cpus`. The first exception leaves.
template <class Work>
void on_all(const std::vector<int>& cpus, std::size_t count, Work work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failed;
  std::mutex failing;
  const auto run = [&](int cpu) {
    try {
      pin_to(cpu);
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(failing);
      failed = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (const int cpu : cpus) threads.emplace_back(run, cpu);
  }
  if (failed) std::rethrow_exception(failed);
}

void widen(PreparedCase& prepared, const std::vector<ErrorBounds>& bounds) {
  for (std::size_t o = 0; o < prepared.outputs.size(); ++o) {
    ExpectedTensor& output = prepared.outputs[o];
    output.max_bound = std::max(output.max_bound, bounds.at(o).max);
    output.rms_bound = std::max(output.rms_bound, bounds.at(o).rms);
  }
}

}  // namespace

TimedDraw::TimedDraw(const Task& task, const TimingShape& shape, std::size_t shape_index, const Seed& seed, std::string profile,
                     std::vector<int> cpus)
    : task_(task), shape_(shape), seed_(seed.derived(fmt::format("timing shape {}", shape_index))), cpus_(std::move(cpus)) {
  if (profile.empty()) classes_ = probes(task);  // a profile's rules know no bounds but its own
}

/// The classes in drawn order, all of them before one comes again: four launches see each.
std::vector<std::size_t> TimedDraw::deal(std::size_t index) const {
  if (none() == 0) return {};
  const std::size_t launches = (none() + kProbes - 1) / kProbes;
  std::vector<std::size_t> order(none());
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream random(seed_, {"classes", fmt::format("{}", index / launches)});
  shuffle(order, random);
  std::vector<std::size_t> dealt;
  for (std::size_t i = 0; i < kProbes; ++i) dealt.push_back(order[(index % launches * kProbes + i) % order.size()]);
  return dealt;
}

std::vector<TimedDraw::Wanted> TimedDraw::plan(std::size_t index, const Seed& seed) const {
  std::vector<std::size_t> calls(kPairs - 1, none());
  for (const std::size_t probe : deal(index)) calls.push_back(probe);
  RandomStream random(seed, {"places of the probes"});
  shuffle(calls, random);
  calls.insert(calls.begin(), kWarmups, none());
  calls.push_back(none());
  std::vector<Wanted> wanted;
  for (const std::size_t probe : calls) wanted.push_back({fmt::format("call {}", wanted.size()), probe});
  return wanted;
}

TimedInputs TimedDraw::prepare(const Wanted& wanted, const Seed& seed) const {
  if (wanted.probe == none()) {
    PreparedCase prepared = prepare_case(task_, wanted.name, shape_.dims, draw_inputs(task_, {}, shape_.dims, seed, wanted.name), {});
    widen(prepared, shape_.bounds);
    return {std::move(prepared), false};
  }
  if (wanted.probe < classes_.size()) {
    const Case& entry = classes_[wanted.probe];
    const std::string name = fmt::format("{}, {}", wanted.name, entry.name);
    auto inputs = draw_inputs(task_, entry.inputs, shape_.dims, seed, wanted.name);
    // One order finds what leaves the type's range on its way.
    PreparedCase prepared = prepare_case(task_, name, shape_.dims, std::move(inputs), {SumOrder::natural});
    widen(prepared, shape_.probes.at(entry.name));
    return {std::move(prepared), true};
  }
  ExactCase exact = shape_.exact[wanted.probe - classes_.size()];
  exact.name = fmt::format("{}, {}", wanted.name, exact.name);
  if (auto prepared = prepare_exact_case(task_, seed, exact)) return {std::move(*prepared), true};
  throw std::runtime_error(fmt::format("bench: {} has no integers that fit {} of this shape any more", task_.name, exact.name));
}

const std::vector<TimedInputs>& TimedDraw::launch(std::size_t index) {
  if (drawn_ == index) return inputs_;
  const Seed seed = seed_.derived(fmt::format("launch {}", index));
  const std::vector<Wanted> wanted = plan(index, seed);
  inputs_.clear();
  inputs_.resize(wanted.size());
  on_all(cpus_, wanted.size(), [&](std::size_t i) { inputs_[i] = prepare(wanted[i], seed); });
  drawn_ = index;
  return inputs_;
}

}  // namespace assay
