// SPDX-License-Identifier: Apache-2.0
#include "build_tree.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "assay/compile/source_files.h"
#include "assay/generate/run.h"
#include "assay/plan/plan.h"
#include "assay/stages/basis.h"

namespace assay::command {

namespace fs = std::filesystem;

BuildTree::BuildTree(fs::path folder) : folder_(std::move(folder)) {
  const fs::path list = folder_ / "kernelassay" / "candidates.txt";
  std::ifstream in(list);
  if (!in)
    throw std::runtime_error(
        fs::is_directory(folder_ / "kernelassay")
            ? fmt::format("{} was configured by another version of KernelAssay. do: configure and build it again", folder_.string())
            : fmt::format("{} is no build folder of KernelAssay. do: name a configured one, or build first", folder_.string()));
  for (std::string line; std::getline(in, line);) {
    const auto tab = line.find('\t');
    const std::string name = line.substr(0, tab);
    if (tab == std::string::npos || !record::parse_test_name(name + ".test"))
      throw std::runtime_error(fmt::format("{}: expected <name><tab><source>, got '{}'. do: configure again", list.string(), line));
    candidates_.emplace(name, line.substr(tab + 1));
  }
}

report::DeclaredSamples BuildTree::declared() const {
  std::map<fs::path, results::Basis> of_plans;
  report::DeclaredSamples declared;
  for (const auto& [name, source] : candidates_) {
    const record::SampleName sample = record::parse_test_name(name + ".test")->sample;
    const fs::path plan = folder_ / "kernelassay" / sample.task / (sample.backend + ".plan.json");
    auto found = of_plans.find(plan);
    if (found == of_plans.end()) found = of_plans.emplace(plan, stages::basis_of(plan::load_plan(plan))).first;
    results::Basis basis = found->second;
    basis.source = fingerprint_of(compile::read_source_files(source));
    declared.emplace(name, std::move(basis));
  }
  return declared;
}

report::KeptEvaluation BuildTree::evaluation(bool with_gone) const {
  report::KeptEvaluation evaluation = report::kept_evaluation(results(), declared(), with_gone);
  for (const auto& [name, source] : candidates_) {
    const std::string run = name.substr(0, name.find('.'));
    if (evaluation.notes.generated.contains(run)) continue;
    evaluation.notes.generated[run] = generate::describe_run(source.parent_path().parent_path() / "run.yaml");
  }
  std::erase_if(evaluation.notes.generated, [](const auto& run) { return run.second.empty(); });
  if (!evaluation.shards.empty()) return evaluation;
  throw std::runtime_error(
      fmt::format("{}: no result is kept{}. do: judge with `assay evaluate` or ctest", folder_.string(),
                  evaluation.notes.gone.empty() ? "" : " of a candidate that is still there (--gone counts the others)"));
}

}  // namespace assay::command
