// SPDX-License-Identifier: Apache-2.0
#include "made_record.h"

#include <stdexcept>
namespace assay::record {

using nlohmann::json;

json made_record(const std::string& name, const json& changes) {
  const auto parsed = parse_test_name(name);
  if (!parsed) throw std::invalid_argument(name);
  const auto& [run, task, backend, index] = parsed->sample;
  json record = {{"version", 1},
                 {"run", run},
                 {"task", task},
                 {"category", "activation"},
                 {"backend", backend},
                 {"sample", index},
                 {"stage", record::name(parsed->stage)},
                 {"verdict", "PASS"},
                 {"detail", ""},
                 {"difficulty", 1},
                 {"suites", {"npueval"}},
                 {"tier", "full"},
                 {"machine", "3f2a91c0 AMD EPYC 2 cores"}};
  if (parsed->stage == Stage::compile) record["compile_ms"] = 12.5;
  if (parsed->stage == Stage::test) {
    record["cases"] = {{"planned", 9}, {"passed", 9}};
    record["errors"] = {{"max_abs", 1e-6}, {"max_rel", nullptr}, {"scaled", 1.5}, {"bound", 16}, {"where", "tail: y[3]"}};
    record["seed"] = "0x5eed";
    record["repeatable"] = true;
  }
  if (parsed->stage == Stage::bench)
    record.update({{"effort", "standard"},
                   {"launches", 10},
                   {"pairs", 25},
                   {"time_ns", 500.0},
                   {"baseline_ns", 1000.0},
                   {"speedup", {{"estimate", 2.0}, {"low", 1.9}, {"high", 2.1}}},
                   {"gbps", 12.5},
                   {"gflops", nullptr},
                   {"efficiency", 0.5},
                   {"baseline", "eigen"},
                   {"seed", "0x5eed"}});
  if (!changes.is_null()) record.merge_patch(changes);
  return record;
}

Record full_record(Stage stage) {
  Record record;
  record.sample = {"some-model", "batched_matmul", "opencl", 42};
  record.stage = stage;
  record.verdict = stage == Stage::bench ? Verdict::inconclusive : Verdict::pass;
  record.detail = "why";
  record.category = "matrix_multiply";
  record.difficulty = 3;
  record.suites = {"one", "two"};
  record.tier = Tier::reduced;
  record.machine = "3f2a91c0 AMD EPYC, 2 cpus";
  record.profile = "kernelbench";
  record.trust = "in-process";
  record.vacuous = true;
  record.no_bench = true;
  record.device = {"CUDA", "H200", "12.4", "550", "gpu", "CUDA/H200", 1024, 49152, {1024, 1024, 64}, 3500.5, 60000.25};
  if (stage == Stage::compile) record.compile_ms = 12.5;
  if (stage != Stage::compile) record.seed = "0x5eed";
  if (stage == Stage::test) {
    record.cases = {9, 8};
    record.errors = {1e-6, 1e-5, 1.5, 16.0, "tail: y[3]"};
    record.repeatable = true;
  }
  if (stage != Stage::bench) return record;
  record.doubt = Doubt::length;
  record.effort = "standard";
  record.target = "gpu";
  record.cache = "cold";
  record.launches = 10, record.pairs = 16;
  record.device_ns = 450.0, record.time_ns = 500.0, record.baseline_ns = 1000.0, record.overhead_ns = 27.0;
  record.judge_ns = 460.0;
  record.device_before = {1980, 3201, 310.5, 41, {}};
  record.device_after = {1755, 3201, 690.25, 63, {"power cap"}};
  record.speedup = {2, 1.9, 2.1, 1.92};
  record.folds = Folds{1.9, 2.1, 2, 2.05, 1.95};
  record.shapes = {{{{"M", 8}, {"N", 16}}, 500.0, 1000.0, Speedup{2, 1.9, 2.1, 1.91}}};
  record.gbps = 12.5, record.gflops = 1.5, record.efficiency = 0.5;
  record.baseline = "eigen";
  record.threads = {3, 2};
  record.noise = {0.01, 0.5, 12, 0.02, 1.02};
  return record;
}

std::string made_output(const json& record) { return "assay: " + record.dump() + "\n[ RUN      ] chatter\n"; }

}  // namespace assay::record
