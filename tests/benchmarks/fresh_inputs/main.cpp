// SPDX-License-Identifier: Apache-2.0
// What inputs of its own for each launch cost a bench stage at effort quick. usage: fresh_inputs_benchmark <plan.json>...
// Of each task's first timing shape, the baseline against itself: seconds that a launch's inputs take to draw, seconds of the
// launch, and how much longer its launches take than as many on one draw. Exit 1 where that is more than 1.25, in the
// geometric mean over the tasks.
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "assay/plan/plan.h"
#include "assay/timing/paired_timing.h"

namespace {

using namespace assay;

constexpr double kMost = 1.25;

template <class Work>
double seconds_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double measure(const plan::Plan& plan) {
  const sandbox::Processors cpus = sandbox::processors();
  sandbox::pin_to(cpus.judge);
  const cases::CaseFile cases = cases::load_cases(plan.task.timing());
  const spec::Task task = spec::load_checked_task(plan.task.task_yaml);
  const cases::Seed seed = cases::fresh_seed();
  const timing::PairedSetting setting{trial::baseline_program(plan), trial::baseline_program(plan),
                                      std::make_shared<timing::IdleBox>(trial::baseline_program(plan)), cpus, false};
  cases::RandomStream random(seed, {"order"});
  const auto [count, pairs] = timing::effort_of("quick");
  cases::TimedDraw draw(task, cases.timing.front(), 0, seed, pairs, cases.profile);
  std::vector<double> draws, launches;
  for (int i = 0; i < count; ++i) {
    const auto index = static_cast<std::size_t>(i);
    draws.push_back(seconds_of([&] { draw.launch(index, timing::all_of(cpus)); }));
    launches.push_back(seconds_of([&] {
      timing::time_launch(setting, draw, index, random);
      timing::judge_due(setting, draw);
    }));
  }
  const double drawn = timing::median(draws), launched = timing::median(launches);
  const double ratio = count * (drawn + launched) / (drawn + count * launched);
  fmt::print("{:<48} {:>8.3f} {:>8.3f} {:>8.2f}\n", plan.task.name, drawn, launched, ratio);
  std::fflush(stdout);
  return ratio;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) throw std::runtime_error("usage: fresh_inputs_benchmark <plan.json>...");
  oracle::keep_blocks(std::size_t{4} << 30);
  double logs = 0;
  fmt::print("{:<48} {:>8} {:>8} {:>8}\n", "task", "draw s", "launch s", "ratio");
  for (int i = 1; i < argc; ++i) logs += std::log(measure(plan::load_plan(argv[i])));
  const double mean = std::exp(logs / (argc - 1));
  fmt::print("geometric mean: {:.2f}, at most {}\n", mean, kMost);
  return mean <= kMost ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "fresh_inputs_benchmark: {}\n", error.what());
  return 2;
}
