// SPDX-License-Identifier: Apache-2.0
// Each case is one GoogleTest. The candidate is called twice on the same inputs, with different garbage in its outputs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <exception>
#include <fstream>

#include "assay/cases/profile.h"
#include "assay/compile/compilation.h"
#include "assay/record/output.h"
#include "assay/stages/findings.h"
#include "assay/stages/stages.h"
#include "assay/timing/device_turns.h"
#include "assay/trial/trial.h"
#include "captured_output.h"
#include "program_arguments.h"
#include "program_stage.h"
#include "stage_record.h"

namespace assay::stages {
namespace {

using cases::Bytes, cases::CaseFile, cases::compare_by, cases::load_cases, cases::PreparedCase, cases::RandomStream, cases::seed_text,
    cases::verify_cases;
using compile::PassedLibrary;
using record::Record, record::set_verdict, record::Stage, record::Verdict;
using timing::DeviceTurns, timing::Turn;
using trial::Box, trial::BoxProgram, plan::Candidate, trial::candidate_program, trial::copy_outputs, plan::DeviceCode, trial::FailedLaunch,
    trial::Poison, trial::load_case, trial::open_box, plan::Plan, trial::prepare_launches;

/// Half of the time that CTest gives the stage (cmake/KernelTests.cmake).
std::chrono::seconds budget_of(const Plan& plan) { return std::max(std::chrono::seconds(150), 15 * plan.task.time_limit); }

/// More threads than a small machine has cores, so that a race shows.
constexpr int kThreads = 4;

/// Where nothing can be kept (a read-only build tree, a full disk), what the candidate prints is lost; its verdict is not.
std::filesystem::path fresh_output(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::remove(file, error);
  const bool kept = !error && std::ofstream(file).is_open();
  if (!kept) fmt::print("what the candidate prints is not kept: {} cannot be written\n", file.string());
  return kept ? file : std::filesystem::path();
}

/// The candidate and its cases.
class Trial {
 public:
  Trial(const Plan& plan, const Candidate& candidate, const std::optional<DeviceCode>& code, CaseFile cases)
      : cases_(std::move(cases)),
        random_(cases_.seed, {"poison"}),
        plan_(plan),
        candidate_(candidate),
        code_(code),
        turns_(code ? DeviceTurns(plan.settings.machine, code->device) : DeviceTurns()) {}

  const std::vector<PreparedCase>& cases() const { return cases_.cases; }

  /// Runs one case; a message where it fails, empty where it passes.
  std::string run(const PreparedCase& entry) {
    if (findings_.stopped()) return "not run: the candidate failed for good in an earlier case";
    CalledCase called;
    auto failed = call(entry, called);
    if (failed && failed->failure.killed) {
      box_.reset();
      failed = call(entry, called);
    }
    return failed ? findings_.stop(*failed) : findings_.add(called);
  }

  void fill(Record& record) const {
    findings_.fill(record, cases_.cases.size());
    record.tier = tier_;
    record.seed = seed_text(cases_.seed);
  }

  bool all_passed() const { return findings_.all_passed(cases_.cases.size()); }

 private:
  /// Calls the candidate on a case; why it has no result, where it has none.
  std::optional<FailedLaunch> call(const PreparedCase& entry, CalledCase& called) {
    if (!program_) {
      program_ = candidate_program(plan_, candidate_, code_, kThreads, budget_of(plan_));
      tier_ = sandbox::tier_of(program_->layers);
      program_->output = fresh_output(candidate_.output());
    }
    if (box_ == nullptr) {
      const Turn turn = turns_.shared();
      if (program_->launch)
        if (auto failed = prepare_launches(*program_, spec::load_checked_task(plan_.task.task_yaml), cases_.cases)) return failed;
      box_ = open_box(*program_, cases_.cases);
    }
    if (!box_->failure()) load_case(*box_, entry);
    std::vector<Bytes> first;
    for (int call = 0; call < kCallsPerCase; ++call) {
      box_->poison(poison_of(entry, call), static_cast<std::uint32_t>(random_.bits()));
      Turn turn = turns_.shared();
      if (!box_->failure()) box_->upload();
      const bool returned = !box_->failure() && box_->call(wire::CallKind::kernel, plan_.task.time_limit).has_value();
      if (returned) box_->download();
      turn = {};
      if (box_->failure()) return FailedLaunch{entry.name, *box_->failure()};
      if (const auto damage = box_->damaged_fence()) return FailedLaunch{entry.name, *damage};
      std::vector<Bytes> outputs = copy_outputs(*box_, entry);
      called.calls[call] = compare_by(cases_.profile, entry, outputs);
      if (call == 0) first = std::move(outputs);
      else called.repeats = outputs == first;
    }
    return {};
  }

  /// A kernel that builds on what it finds in its outputs meets all kinds where a task has two cases.
  Poison poison_of(const PreparedCase& entry, int call) const {
    if (call == 0) return Poison::nan;
    return (&entry - cases_.cases.data()) % 2 == 0 ? Poison::minus_huge : Poison::huge;
  }

  CaseFile cases_;
  RandomStream random_;
  const Plan& plan_;
  const Candidate& candidate_;
  const std::optional<DeviceCode>& code_;
  DeviceTurns turns_;
  std::optional<BoxProgram> program_;
  std::unique_ptr<Box> box_;
  record::Tier tier_ = record::Tier::none;
  Findings findings_;
};

class CaseTest : public testing::Test {
 public:
  CaseTest(Trial& trial, const PreparedCase& entry, std::exception_ptr& broken) : trial_(trial), entry_(entry), broken_(broken) {}
  void TestBody() override {
    // Nothing may leave through GoogleTest, which would drop the reason.
    if (broken_) GTEST_SKIP() << "the harness failed in an earlier case";
    std::string message;
    try {
      message = trial_.run(entry_);
    } catch (const std::exception& error) {
      broken_ = std::current_exception();
      message = error.what();
    }
    if (!message.empty()) FAIL() << record::harmless(message);
  }

 private:
  Trial& trial_;
  const PreparedCase& entry_;
  std::exception_ptr& broken_;
};

/// Of <build>/kernelassay/<task>/cases.bin.
std::string build_folder(const Plan& plan) { return plan.task.cases.parent_path().parent_path().parent_path().string(); }

int run_tests(Trial& trial, const Plan& plan, const std::vector<std::string>& flags) {
  ProgramArguments arguments("assay-judge test", flags);
  testing::InitGoogleTest(&arguments.count, arguments.values());
  if (arguments.count > 1)
    throw std::runtime_error(
        fmt::format("assay-judge test: unknown flag {}. do: see --help and GoogleTest's flags", arguments.values()[1]));
  std::exception_ptr broken;
  for (const PreparedCase& entry : trial.cases())
    testing::RegisterTest(plan.task.name.c_str(), entry.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [&]() -> testing::Test* { return new CaseTest(trial, entry, broken); });
  const int result = RUN_ALL_TESTS();
  if (broken) std::rethrow_exception(broken);
  return result;
}

}  // namespace

int test_candidate(const Plan& plan, const Candidate& candidate, const std::vector<std::string>& flags,
                   const std::function<void()>& arrives) {
  if (plan.toolchain.is_program()) return test_program(plan, candidate);
  Record record = begin_record(plan, candidate, Stage::test);
  std::string printed;
  CapturedOutput capture;
  try {
    CaseFile cases = load_cases(plan.task.cases);
    if (!plan.task.task_yaml.library.empty()) verify_cases(spec::load_checked_task(plan.task.task_yaml), cases);
    if (arrives) arrives();
    const PassedLibrary library(candidate);
    record.device = library.device();
    Trial trial(plan, candidate, library.device_code(), std::move(cases));
    const bool filtered = !flags.empty();
    const bool good = run_tests(trial, plan, flags) == 0;
    trial.fill(record);
    library.require_unchanged();
    // A pass is counted, never assumed: each planned case was run and accepted.
    if (record.verdict == Verdict::pass && !(good && (filtered || trial.all_passed())))
      set_verdict(record, Verdict::harness_error, good ? "not every planned case was run" : "a case ended without a verdict");
    if (record.verdict != Verdict::pass)
      printed = fmt::format("repro: ASSAY_SEED={} ctest --test-dir {} -R '^{}$'\n", record.seed, build_folder(plan),
                            record::TestName{record.sample, Stage::test}.text());
  } catch (const std::exception& error) {
    set_verdict(record, Verdict::harness_error, error.what());
  }
  printed += capture.take();
  return conclude(record, printed, candidate);
}

}  // namespace assay::stages
