// SPDX-License-Identifier: Apache-2.0
#include "judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "assay/compile/scratch.h"
#include "assay/record/output.h"
#include "assay/record/printable.h"
#include "assay/stages/stages.h"

namespace assay::score {
namespace {

namespace fs = std::filesystem;
using record::Record, record::Stage, record::Verdict;

const std::string kRun = "score";  // of every sample: a record's name is no part of the answer

plan::Candidate candidate_of(const SampleFolder& folder) { return {kRun, 0, folder.source(), folder.path() / "kernel"}; }

std::vector<std::string> arguments(const Fixture& fixture, const SampleFolder& folder) {
  return {"--plan", fixture.plan_file.string(), "--run", kRun, "--sample", "0", "--prefix", (folder.path() / "kernel").string()};
}

/// As CTest has it (cmake/KernelTests.cmake): a net above the programs' own limits, which end with a verdict.
double cap_of(Stage stage, const plan::Plan& plan) {
  const double seconds = std::max<double>(10, static_cast<double>(plan.task.time_limit.count()));
  switch (stage) {
    case Stage::compile: return 300;
    case Stage::test: return 30 * seconds;
    case Stage::bench: return 90 * seconds;
  }
  return 0;
}

Record begin(const Fixture& fixture, Stage stage) {
  Record record;
  record.sample = {kRun, fixture.plan.task.name, fixture.plan.toolchain.backend, 0};
  record.stage = stage;
  record.category = fixture.plan.task.category;
  record.difficulty = fixture.plan.task.difficulty;
  record.suites = fixture.plan.task.suites;
  return record;
}

/// The record of a stage that ended without one.
Record without_record(const Fixture& fixture, Stage stage, const EndedChild& ended, const Judged& judged) {
  Record record = begin(fixture, stage);
  if (judged.cut_off)
    record::set_verdict(record, stage == Stage::compile ? Verdict::compile_timeout : Verdict::timeout,
                        fmt::format("the sample's deadline came in the stage {}", record::name(stage)));
  else if (ended.timed_out)
    record::set_verdict(record, Verdict::harness_error, fmt::format("the stage {} did not end in its time", record::name(stage)));
  else
    record::set_verdict(
        record, Verdict::harness_error,
        fmt::format("the stage {} ended with {} and no record: {}", record::name(stage), ended.how(), record::cut_to(ended.output, 300)));
  return record;
}

/// The first line is the record; nothing that a candidate wrote comes before it.
Record record_of(const Fixture& fixture, Stage stage, const EndedChild& ended, const Judged& judged) {
  const std::string_view line = std::string_view(ended.output).substr(0, ended.output.find('\n'));
  if (!ended.exited() || !line.starts_with(record::record_prefix)) return without_record(fixture, stage, ended, judged);
  try {
    return record::parse_record(line.substr(record::record_prefix.size()));
  } catch (const std::runtime_error& error) {
    Record record = begin(fixture, stage);
    record::set_verdict(record, Verdict::harness_error, error.what());
    return record;
  }
}

}  // namespace

SampleFolder::SampleFolder(const fs::path& folder, const Sample& sample, const std::string& suffix) : path_(folder) {
  fs::create_directories(path_);
  try {
    source_ = sample.source.write(path_, suffix);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    throw;
  }
}

SampleFolder::~SampleFolder() {
  try {
    compile::remove_tree(path_);
  } catch (const std::exception&) {  // it lies in the process' own folder, which goes as a whole
  }
}

std::unique_ptr<Child> Judge::start(const std::vector<std::string>& argv, bool is_told) const {
  return std::make_unique<Child>(ChildProgram{argv, {}, 0, cpus_, is_told});
}

EndedChild Judge::wait_for(Child& child, double deadline, double cap, const StopSign& stop, Judged& judged) const {
  const double left = std::max(0.0, deadline - judged.seconds);
  EndedChild ended = child.wait(std::min(left, cap), stop);
  judged.seconds += ended.seconds;
  judged.cut_off = ended.timed_out && left <= cap;
  judged.stopped = ended.stopped;
  return ended;
}

std::unique_ptr<Child> Judge::expect_test(const Fixture& fixture, const SampleFolder& folder) const {
  if (fixture.plan.toolchain.is_program()) return nullptr;
  std::vector<std::string> argv = arguments(fixture, folder);
  argv.insert(argv.begin(), {program_.string(), std::string(record::name(Stage::test))});
  argv.emplace_back("--await");
  return start(argv, true);
}

void Judge::compile(const Fixture& fixture, const SampleFolder& folder, double deadline, const StopSign& stop, Judged& judged) const {
  std::vector<std::string> argv = arguments(fixture, folder);
  if (const plan::Toolchain& toolchain = fixture.plan.toolchain; toolchain.is_program())
    argv.insert(argv.begin(), {toolchain.box.string(), "candidate"});
  else argv.insert(argv.begin(), fixture.plan.settings.compiler.string());
  argv.insert(argv.end(), {"--source", folder.source().string()});
  const EndedChild ended = wait_for(*start(argv, false), deadline, cap_of(Stage::compile, fixture.plan), stop, judged);
  if (!ended.exited() || ended.status != 0) {
    judged.records.push_back(without_record(fixture, Stage::compile, ended, judged));
    return;
  }
  stages::CompileOutcome outcome = stages::compile_outcome(fixture.plan, candidate_of(folder));
  judged.records.push_back(std::move(outcome.record));
  judged.diagnostics = std::move(outcome.diagnostics);
}

void Judge::run(Stage stage, const Fixture& fixture, const SampleFolder& folder, double deadline, const StopSign& stop, Judged& judged,
                std::unique_ptr<Child> begun) const {
  std::vector<std::string> argv = arguments(fixture, folder);
  argv.insert(argv.begin(), {program_.string(), std::string(record::name(stage))});
  if (begun != nullptr) begun->tell();
  else begun = start(argv, false);
  const EndedChild ended = wait_for(*begun, deadline, cap_of(stage, fixture.plan), stop, judged);
  judged.records.push_back(record_of(fixture, stage, ended, judged));
}

}  // namespace assay::score
