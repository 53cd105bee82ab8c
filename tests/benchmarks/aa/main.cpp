// SPDX-License-Identifier: Apache-2.0
// What the intervals of timings are worth: the baseline against itself, whose true speedup is 1, through the bench stage's
// own launches. usage: aa_benchmark <plan.json> <runs> <effort> [<launches> [<pairs> [<prefix>]]]
// With the <prefix> of a candidate that is built (<build>/kernelassay/<task>/<run>/<NNN>.<backend>) it is the candidate against itself.
// The task's timing shapes must have been drawn (assay-judge timing). Uses the processors that it may use: several can run side by side
// under taskset. Prints each run, then the share of 95 % intervals that hold 1.0, half-widths, how often "faster than 1.0" was
// claimed, and the mean of all launches: it is 0 unless one side is favoured. Exit 1 unless
//   coverage     at least 93 of 100 intervals hold 1; below 100 runs, as many as 95 % fall short of once in 100 times
//   claims       at most 3 of 100; below 100 runs, as many as 1 % exceeds once in 100 times
//   half-width   of 100 launches and more, 0.5 % at most (median): on processors that nobody else uses
//   mean         off 0 by at most 0.05 %, beside three standard errors
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "assay/compile/compilation.h"
#include "assay/timing/against_itself.h"
#include "assay/timing/machine_state.h"

namespace {

using namespace assay;

double mean(const timing::LogRatios& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Standard deviation; of the launches' log ratios it says what a launch more would bring.
double deviation(const timing::LogRatios& values) {
  const double middle = mean(values);
  double squares = 0;
  for (const double x : values) squares += (x - middle) * (x - middle);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

/// Sums for the correlation of launches that follow each other, each around the mean of its run.
struct Neighbours {
  double products = 0, squares = 0;

  void add(const timing::LogRatios& launches) {
    const double middle = mean(launches);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      squares += (launches[i] - middle) * (launches[i] - middle);
      if (i > 0) products += (launches[i] - middle) * (launches[i - 1] - middle);
    }
  }
};

/// Of a pair's log ratio around its launch's: what a pair more would bring.
double pair_deviation(const timing::ShapeTimes& times) {
  double squares = 0;
  for (std::size_t i = 0; i < times.candidate.size(); ++i) {
    const double ratio =
        std::log(times.baseline[i] / times.candidate[i]) - times.log_ratios[i * times.log_ratios.size() / times.candidate.size()];
    squares += ratio * ratio;
  }
  return std::sqrt(squares / static_cast<double>(times.candidate.size()));
}

/// The fewest that are exceeded by chance at most once in 100 times, of `runs` that each fail with `probability`.
int most_by_chance(int runs, double probability) {
  double term = std::pow(1 - probability, runs), below = term;
  int most = 0;
  for (; below < 0.99; ++most) {
    term *= probability / (1 - probability) * (runs - most) / (most + 1);
    below += term;
  }
  return most;
}

bool holds(const char* what, double got, double limit, const char* unit) {
  if (got <= limit) return true;
  fmt::print("aa: {} is {:.2f}{}, the limit {:.2f}{}: MISSED\n", what, got, unit, limit, unit);
  return false;
}

/// The baseline, or a candidate that was compiled.
trial::BoxProgram program_of(const plan::Plan& plan, const std::string& prefix, const sandbox::Processors& cpus) {
  if (prefix.empty()) return trial::baseline_program(plan);
  plan::Candidate candidate;
  candidate.run = "aa";
  candidate.prefix = prefix;
  const compile::PassedLibrary library(candidate);
  return trial::candidate_program(plan, candidate, library.device_code(), timing::threads_of(cpus), std::chrono::hours(1));
}

void print_clocks(const timing::ShapeTimes& times) {
  std::vector<double> apart, unsure;
  for (const timing::Clocks& clocks : times.clocks) {
    if (clocks.calls == 0) return;
    apart.push_back((clocks.judge - clocks.device) / static_cast<double>(clocks.calls));
    unsure.push_back(clocks.unsure / static_cast<double>(clocks.calls));
  }
  fmt::print(
      "  a call by the judge's clock less by the device's: median {:+.2f} us, {:+.2f} to {:+.2f}; empty batches differ by {:.2f} us\n",
      timing::median(apart) * 1e6, *std::ranges::min_element(apart) * 1e6, *std::ranges::max_element(apart) * 1e6,
      timing::median(unsure) * 1e6);
}

int measure(const plan::Plan& plan, int runs, const timing::Effort& effort, const std::string& prefix) {
  const auto& [launches, pairs] = effort;
  const sandbox::Processors cpus = sandbox::processors();
  sandbox::pin_to(cpus.judge);
  const trial::BoxProgram program = program_of(plan, prefix, cpus);
  int covered = 0, claimed = 0;
  std::vector<double> half_widths;
  timing::LogRatios all, means;
  Neighbours neighbours;
  double squared_errors = 0;
  fmt::print("{}: {} runs of {} launches of {} pairs\n", plan.task.name, runs, launches, pairs);
  for (int run = 0; run < runs; ++run) {
    const timing::NoiseMeter meter(cpus.boxes);
    const timing::ShapeTimes times =
        timing::time_against_itself(plan, program, cpus, cases::fresh_seed(), pairs,
                                    [&, launches = launches](const timing::LogRatios& sofar) { return std::ssize(sofar) >= launches; });
    const record::Noise noise = meter.read();
    const record::Speedup ratio = timing::speedup_over(times.log_ratios);
    covered += ratio.low <= 1 && 1 <= ratio.high;
    claimed += ratio.at_least > 1;
    all.insert(all.end(), times.log_ratios.begin(), times.log_ratios.end());
    neighbours.add(times.log_ratios);
    means.push_back(mean(times.log_ratios));
    squared_errors += std::pow(deviation(times.log_ratios), 2) / launches / runs;
    half_widths.push_back((ratio.high - ratio.low) / 2);
    fmt::print(
        "{:.4f} [{:.4f}, {:.4f}] at least {:.4f}, {:.2f} us, empty {:.2f} us, sd of launches {:.2f} %, of pairs {:.2f} %, "
        "drift {:.3f}, steal {:.1f} %, switches {}\n",
        ratio.estimate, ratio.low, ratio.high, ratio.at_least, timing::median(times.candidate) * 1e6, timing::median(times.overheads) * 1e6,
        deviation(times.log_ratios) * 100, pair_deviation(times) * 100, timing::spread(times.baseline_launches), noise.steal * 100,
        noise.switches);
    print_clocks(times);
    std::fflush(stdout);
  }
  fmt::print("coverage {}/{}, half-width median {:.2f} % max {:.2f} %, false claims {}/{}", covered, runs,
             timing::median(half_widths) * 100, *std::ranges::max_element(half_widths) * 100, claimed, runs);
  fmt::print("\nlaunches that follow each other correlate by {:+.3f}; the means of runs deviate by {:.2f} times what one run says",
             neighbours.products / neighbours.squares, deviation(means) / std::sqrt(squared_errors));
  const double error = deviation(all) / std::sqrt(static_cast<double>(all.size()));
  fmt::print("\nlog ratios of all {} launches: mean {:+.2f} %, standard error {:.2f} %\n", all.size(), mean(all) * 100, error * 100);
  const bool many = runs >= 100;
  bool good = holds("intervals that miss 1", runs - covered, many ? 0.07 * runs : most_by_chance(runs, 0.05), "");
  good &= holds("false claims", claimed, many ? 0.03 * runs : most_by_chance(runs, 0.01), "");
  good &= launches < 100 || holds("the median half-width", timing::median(half_widths) * 100, 0.5, " %");
  good &= holds("the mean's distance from 0", std::abs(mean(all)) * 100, (0.0005 + 3 * error) * 100, " %");
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 7) {
    fmt::print(stderr, "usage: aa_benchmark <plan.json> <runs> <effort> [<launches> [<pairs> [<prefix>]]]\n");
    return 2;
  }
  try {
    const int runs = std::stoi(argv[2]);
    timing::Effort effort = timing::effort_of(argv[3]);
    if (argc > 4) effort.launches = std::stoi(argv[4]);
    if (argc > 5) effort.pairs = std::stoi(argv[5]);
    if (runs < 1 || effort.launches < 2 || effort.pairs < 2) throw std::runtime_error("needs 1 run, 2 launches and 2 pairs at least");
    return measure(plan::load_plan(argv[1]), runs, effort, argc > 6 ? argv[6] : "");
  } catch (const std::exception& error) {
    fmt::print(stderr, "aa_benchmark: {}\n", error.what());
    return 2;
  }
}
