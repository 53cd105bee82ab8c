// SPDX-License-Identifier: Apache-2.0
#include "assay/judge/canary.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "assay/judge/machine_state.h"
#include "paired_timing.h"

namespace assay {
namespace {

/// The same at every effort: the report's rule on the interval's width counts on it.
constexpr int kCanaryLaunches = 10;

}  // namespace

void run_canary(const Plan& plan, const std::filesystem::path& out) {
  const Processors cpus = processors();
  pin_to(cpus.judge);
  const NoiseMeter meter(cpus.boxes);
  const std::uint64_t seed = fresh_seed();
  const ShapeTimes times = time_against_itself(plan, cpus, kCanaryLaunches, seed);
  const Noise noise = meter.read();
  const Speedup ratio = speedup_over(times.log_ratios, 0.99);
  const Record canary{{"task", plan.task},
                      {"machine", machine_fingerprint()},
                      {"cache", plan.cache},
                      {"ratio", ratio.estimate},
                      {"low99", ratio.low},
                      {"high99", ratio.high},
                      {"launches", kCanaryLaunches},
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

}  // namespace assay
