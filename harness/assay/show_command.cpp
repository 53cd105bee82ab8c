// SPDX-License-Identifier: Apache-2.0
// `assay show`: one candidate.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "assay/judge/stages.h"
#include "assay/report/sample_page.h"
#include "assay/report/winners.h"
#include "assay/spec/nearest.h"
#include "build_tree.h"
#include "commands.h"

namespace assay {
namespace {

/// The sample that `text` names, with a stage or without.
SampleName sample_named(const std::string& text, const BuildTree& tree, const std::vector<KeptResult>& results) {
  std::vector<std::string> known;
  for (const auto& [name, source] : tree.candidates()) known.push_back(name);
  for (const KeptResult& result : results)
    if (const auto name = parse_test_name(result.test)) known.push_back(name->sample.text());
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const std::string& suffix : {std::string(".test"), std::string()})
    if (const auto name = parse_test_name(text + suffix); name && std::ranges::binary_search(known, name->sample.text())) return name->sample;
  throw std::runtime_error(fmt::format("show {}: {} has no such candidate{}. expected: <run>.<task>.<backend>.<NNN>", text,
                                       tree.folder().string(), did_you_mean(text, known)));
}

SamplePage page_of(const SampleName& name, const BuildTree& tree, const std::vector<KeptResult>& results) {
  SamplePage page;
  page.sample.name = name;
  page.build = tree.folder().string();
  const DeclaredSamples declared = tree.declared();
  const KeptEvaluation evaluation = kept_evaluation(results, declared, true);
  Results collected = evaluation.first.empty() ? Results() : collect(evaluation.first);
  if (!evaluation.retimed.empty()) add_retimed(collected, collect(evaluation.retimed));
  for (const Problem& problem : collected.problems)
    for (const Sample& sample : problem.samples)
      if (sample.name == name) page.sample = sample;
  for (const StaleSample& stale : evaluation.notes.stale)
    if (stale.sample == name.text()) page.age = stale.changed;
  for (const KeptResult& result : results) {
    const auto test = parse_test_name(result.test);
    if (!test || test->sample != name || result.retimed) continue;
    page.outputs[static_cast<std::size_t>(test->stage)] = result.output;
    page.judged = std::max(page.judged, spell_time(result.began));
  }
  const auto candidate = tree.candidates().find(name.text());
  if (candidate == tree.candidates().end()) {
    page.age = "gone";
    return page;
  }
  page.source_path = candidate->second.string();
  page.source = source_text(candidate->second);
  return page;
}

}  // namespace

void add_show_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("show", "print all that is kept of one candidate: verdicts, timing, diagnostics, source");
  auto name = std::make_shared<std::string>(), build = std::make_shared<std::string>("build/evaluate");
  command->add_option("candidate", *name, "<run>.<task>.<backend>.<NNN>")->required();
  command->add_option("--build", *build, "built folder that has judged it")->capture_default_str();
  command->callback([name, build] {
    const BuildTree tree(*build);
    const std::vector<KeptResult> results = tree.results();
    write_sample(page_of(sample_named(*name, tree, results), tree, results), std::cout);
  });
}

}  // namespace assay
