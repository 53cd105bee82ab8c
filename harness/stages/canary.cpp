// SPDX-License-Identifier: Apache-2.0
#include "assay/stages/canary.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "assay/timing/against_itself.h"
#include "assay/timing/machine_state.h"

namespace assay::stages {
namespace {

using cases::fresh_seed, cases::Seed, cases::seed_text;
using plan::Plan;
using timing::LogRatios, timing::machine_fingerprint, timing::median, timing::NoiseMeter, timing::ShapeTimes, timing::speedup_over,
    timing::spread, timing::time_against_itself;

/// The same at every effort: the report's rule on the interval's width counts on it. A bias of 5 % is seen: the interval that is wide
/// enough to be believed lies wholly beyond the 1 % that the report lets pass.
constexpr std::size_t kFewest = 10, kMost = 40;
constexpr int kPairs = 16;
constexpr double kHalfWidth = 0.035;

/// Where neighbours make ten launches too uncertain, more of them say what the machine is worth. None is left out, and how
/// many there are depends on their scatter alone.
bool is_enough(const LogRatios& launches) {
  if (launches.size() < kFewest) return false;
  const record::Speedup ratio = speedup_over(launches, record::canary_confidence);
  return launches.size() >= kMost || (ratio.high - ratio.low) / 2 <= kHalfWidth;
}

}  // namespace

void run_canary(const Plan& plan, const std::filesystem::path& out) {
  const sandbox::Processors cpus = sandbox::processors();
  sandbox::pin_to(cpus.judge);
  const NoiseMeter meter(cpus.boxes);
  const Seed seed = fresh_seed();
  const ShapeTimes times = time_against_itself(plan, trial::baseline_program(plan), cpus, seed, kPairs, is_enough);
  const record::Noise noise = meter.read();
  const record::Speedup ratio = speedup_over(times.log_ratios, record::canary_confidence);
  const nlohmann::ordered_json canary{{"task", plan.task.name},
                                      {"machine", machine_fingerprint()},
                                      {"cache", plan.settings.cache},
                                      {"ratio", ratio.estimate},
                                      {"low99", ratio.low},
                                      {"high99", ratio.high},
                                      {"launches", times.log_ratios.size()},
                                      {"time_ns", std::round(median(times.baseline) * 1e9)},
                                      {"steal", noise.steal},
                                      {"load", noise.load},
                                      {"switches", noise.switches},
                                      {"pressure", noise.pressure ? nlohmann::json(*noise.pressure) : nlohmann::json()},
                                      {"baseline_drift", spread(times.baseline_launches)},
                                      {"seed", seed_text(seed)}};
  std::ofstream file(out);
  file << canary << '\n';
  if (!file.flush()) throw std::runtime_error(fmt::format("canary: {} cannot be written. do: check its folder", out.string()));
  fmt::print("canary: {}\n", canary.dump());
}

}  // namespace assay::stages
