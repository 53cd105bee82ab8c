// SPDX-License-Identifier: Apache-2.0
// `assay show`: one candidate.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "assay/compile/source_files.h"
#include "assay/report/sample_page.h"
#include "assay/spec/nearest.h"
#include "build_tree.h"
#include "commands.h"

namespace assay::command {
namespace {

using results::KeptResult;

/// The sample that `text` names, with a stage or without.
record::SampleName sample_named(const std::string& text, const BuildTree& tree, const std::vector<KeptResult>& results) {
  std::vector<std::string> known;
  for (const auto& [name, source] : tree.candidates()) known.push_back(name);
  for (const KeptResult& result : results)
    if (const auto name = record::parse_test_name(result.test)) known.push_back(name->sample.text());
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const std::string& suffix : {std::string(".test"), std::string()})
    if (const auto name = record::parse_test_name(text + suffix); name && std::ranges::binary_search(known, name->sample.text()))
      return name->sample;
  throw std::runtime_error(fmt::format("show {}: {} has no such candidate{}. expected: <run>.<task>.<backend>.<NNN>", text,
                                       tree.folder().string(), spec::did_you_mean(text, known)));
}

report::SamplePage page_of(const record::SampleName& name, const BuildTree& tree, const std::vector<KeptResult>& results) {
  report::SamplePage page;
  page.sample.name = name;
  page.build = tree.folder().string();
  const report::DeclaredSamples declared = tree.declared();
  const report::KeptEvaluation evaluation = report::kept_evaluation(results, declared, true);
  const report::Results collected = evaluation.shards.empty() ? report::Results() : collect(evaluation.shards);
  for (const report::Problem& problem : collected.problems)
    for (const report::Sample& sample : problem.samples)
      if (sample.name == name) page.sample = sample;
  for (const report::StaleSample& stale : evaluation.notes.stale)
    if (stale.sample == name.text()) page.age = stale.changed;
  for (const KeptResult& result : results) {
    const auto test = record::parse_test_name(result.test);
    if (!test || test->sample != name) continue;
    page.outputs[static_cast<std::size_t>(test->stage)] = result.output;
    page.judged = std::max(page.judged, report::spell_time(result.began));
  }
  const auto candidate = tree.candidates().find(name.text());
  if (candidate == tree.candidates().end()) {
    page.age = "gone";
    return page;
  }
  page.source_path = candidate->second.string();
  page.source = text_of(compile::read_source_files(candidate->second));
  return page;
}

}  // namespace

static void add_show_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("show", "print all that is kept of one candidate: verdicts, timing, diagnostics, source");
  auto name = std::make_shared<std::string>(), build = std::make_shared<std::string>("build/evaluate");
  command->add_option("candidate", *name, "<run>.<task>.<backend>.<NNN>")->required();
  command->add_option("--build", *build, "built folder that has judged it")->capture_default_str();
  command->callback([name, build] {
    const BuildTree tree(*build);
    const std::vector<KeptResult> results = tree.results();
    report::write_sample(page_of(sample_named(*name, tree, results), tree, results), std::cout);
  });
}
static const bool show_defined = define_command("show", add_show_command);

}  // namespace assay::command
