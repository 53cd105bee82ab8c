// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "assay/record/output.h"
#include "assay/record/printable.h"
#include "assay/record/record.h"

namespace assay::record {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t longest_detail = 2000;  // bytes

ordered_json measured(const std::optional<double>& value) { return value && std::isfinite(*value) ? ordered_json(*value) : ordered_json(); }

ordered_json describe(const std::optional<Speedup>& speedup) {
  if (!speedup) return nullptr;
  const auto& [estimate, low, high, at_least] = *speedup;
  for (const double value : {estimate, low, high, at_least})
    if (!std::isfinite(value)) return nullptr;
  return {{"estimate", estimate}, {"low", low}, {"high", high}, {"at_least", at_least}};
}

ordered_json describe(const Folds& folds) {
  for (const double fold : folds)
    if (!std::isfinite(fold)) return nullptr;
  return folds;
}

ordered_json describe(const Device& device) {
  ordered_json object = {{"platform", device.platform},
                         {"name", device.name},
                         {"version", device.version},
                         {"driver", device.driver},
                         {"kind", device.kind},
                         {"selector", device.selector},
                         {"work_group", device.work_group},
                         {"work_items", device.work_items},
                         {"local_bytes", device.local_bytes}};
  if (device.copy_gbps) object["copy_gbps"] = measured(device.copy_gbps);
  if (device.gflops) object["gflops"] = measured(device.gflops);
  return object;
}

ordered_json describe(const DeviceState& state) {
  return {{"sm_mhz", state.sm_mhz},
          {"memory_mhz", state.memory_mhz},
          {"watts", state.watts},
          {"celsius", state.celsius},
          {"throttled", state.throttled}};
}

ordered_json describe(const ShapeTiming& shape) {
  return {{"dims", shape.dims},
          {"time_ns", measured(shape.time_ns)},
          {"baseline_ns", measured(shape.baseline_ns)},
          {"speedup", describe(shape.speedup)}};
}

ordered_json describe(const Noise& noise) {
  return {{"steal", noise.steal},
          {"load", noise.load},
          {"switches", noise.switches},
          {"pressure", measured(noise.pressure)},
          {"baseline_drift", measured(noise.baseline_drift)}};
}

void write_test(const Record& record, ordered_json& object) {
  if (record.cases) object["cases"] = {{"planned", record.cases->planned}, {"passed", record.cases->passed}};
  if (const auto& errors = record.errors)
    object["errors"] = {{"max_abs", measured(errors->max_abs)},
                        {"max_rel", measured(errors->max_rel)},
                        {"scaled", measured(errors->scaled)},
                        {"bound", measured(errors->bound)},
                        {"where", errors->where}};
  if (!record.seed.empty()) object["seed"] = record.seed;
  if (record.repeatable) object["repeatable"] = *record.repeatable;
}

/// All of a timing's fields, or none.
void write_bench(const Record& record, ordered_json& object) {
  if (!record.launches) return;
  if (record.doubt != Doubt::none) object["doubt"] = name(record.doubt);
  object["effort"] = record.effort;
  if (!record.target.empty()) object["target"] = record.target;
  if (!record.cache.empty()) object["cache"] = record.cache;
  object["launches"] = *record.launches;
  object["pairs"] = record.pairs.value_or(0);
  if (record.device_ns) object["device_ns"] = measured(record.device_ns);
  if (record.judge_ns) object["judge_ns"] = measured(record.judge_ns);
  if (record.device_before) object["device_before"] = describe(*record.device_before);
  if (record.device_after) object["device_after"] = describe(*record.device_after);
  object["time_ns"] = measured(record.time_ns);
  object["baseline_ns"] = measured(record.baseline_ns);
  object["overhead_ns"] = measured(record.overhead_ns);
  object["speedup"] = describe(record.speedup);
  if (record.folds) object["folds"] = describe(*record.folds);
  for (const ShapeTiming& shape : record.shapes) object["shapes"].push_back(describe(shape));
  object["gbps"] = measured(record.gbps);
  object["gflops"] = measured(record.gflops);
  object["efficiency"] = measured(record.efficiency);
  object["baseline"] = record.baseline;
  if (record.threads) object["threads"] = {{"candidate", record.threads->candidate}, {"baseline", record.threads->baseline}};
  if (record.noise) object["noise"] = describe(*record.noise);
}

}  // namespace

void set_verdict(Record& record, Verdict verdict, const std::string& detail) {
  record.verdict = verdict;
  record.detail = cut_to(harmless(detail), longest_detail);
}

std::string trust_text(const std::string& trust) {
  return trust + (trust == "guarded" ? ": the memory of its device is kept in the candidate's process"
                                     : ": the test shares a process with the candidate");
}

ordered_json to_json(const Record& record) {
  ordered_json object{{"version", record_version},       {"run", record.sample.run},         {"task", record.sample.task},
                      {"category", record.category},     {"backend", record.sample.backend}, {"sample", record.sample.index},
                      {"stage", name(record.stage)},     {"verdict", name(record.verdict)},  {"detail", record.detail},
                      {"difficulty", record.difficulty}, {"suites", record.suites},          {"tier", name(record.tier)},
                      {"machine", record.machine}};
  if (!record.profile.empty()) object["profile"] = record.profile;
  if (!record.trust.empty()) object["trust"] = record.trust;
  if (record.vacuous) object["vacuous"] = true;
  if (record.no_bench) object["no_bench"] = true;
  if (record.device) object["device"] = describe(*record.device);
  if (record.compile_ms) object["compile_ms"] = measured(record.compile_ms);
  write_test(record, object);
  write_bench(record, object);
  return object;
}

}  // namespace assay::record
