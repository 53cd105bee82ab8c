// SPDX-License-Identifier: Apache-2.0
#include "score_options.h"

#include <fmt/format.h>

#include <stdexcept>

#include "assay/sandbox/processors.h"
#include "program.h"

namespace assay::command {

score::ScorerOptions default_score_options() {
  score::ScorerOptions options;
  const sandbox::Processors cpus = sandbox::processors();
  options.build = "build/evaluate";
  options.jobs = static_cast<int>(cpus.boxes.size()) + (cpus.boxes.front() == cpus.judge ? 0 : 1);
  options.judge = program("assay-judge");
  return options;
}

void add_score_options(CLI::App& command, score::ScorerOptions& options, std::string& seed) {
  std::string rewards;
  for (const score::Reward& reward : score::all_rewards()) rewards += fmt::format("{}{}", rewards.empty() ? "" : ", ", reward.name);
  command.add_option("--build", options.build, "configured build folder")->capture_default_str();
  command.add_option("--jobs", options.jobs, "compilations and tests at a time")->check(CLI::Range(1, 1024))->capture_default_str();
  command.add_option("--reward", options.reward, fmt::format("of samples that name none: {}", rewards))->capture_default_str();
  command.add_option("--default-deadline", options.deadline_seconds, "seconds that judging a sample may take, where it names none")
      ->check(CLI::Range(0.001, score::kLongestDeadline))
      ->capture_default_str();
  command.add_option("--effort", options.effort, "of timings: quick, standard, publish (default: the build's)")
      ->check(CLI::IsMember({"quick", "standard", "publish"}));
  command.add_option("--seed", seed, "draw all cases from this seed (default: from fresh secrets)");
  command.add_option("--redraw", options.most_uses, "draw a task's cases anew after so many samples")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_flag("!--no-reuse", options.reuse, "judge equal sources again");
  command.add_option("--bench-cpus", options.bench_cpus, "processors set aside for timings, 2,3 (default: a timing has all of them)")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void read_score_options(score::ScorerOptions& options, const std::string& seed) {
  if (!seed.empty()) options.seed = cases::parse_seed(seed, "score: --seed");
  if (score::find_reward(options.reward) == nullptr)
    throw std::runtime_error(fmt::format("score: unknown reward '{}'. do: see --help", options.reward));
}

}  // namespace assay::command
