// SPDX-License-Identifier: Apache-2.0
// A bench whose boxes are no processes: what it launches, what it does after a failure, and what its record says.
#include "bench.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>

#include "assay/stages/basis.h"
#include "assay/stages/stages.h"
#include "fake_box.h"
#include "temporary_folder.h"

namespace assay::stages {
namespace {

using namespace std::chrono_literals;
using record::Record, record::Verdict;
using testing::ElementsAre, testing::HasSubstr, testing::StartsWith;
using timing::CandidateFailed, timing::FakeBox, timing::IdleBox, timing::named, timing::PairedSetting, timing::Scene;

constexpr std::size_t kLaunches = 5, kPairs = 4;  // of effort quick
constexpr std::size_t kCalls = cases::kWarmups + kPairs + cases::kProbes;

class BenchOfBoxes : public testing::Test {
 protected:
  BenchOfBoxes() {
    plan_.task.task_yaml = folder_ / "math/task/task.yaml";
    plan_.task.cases = folder_ / "cases.bin";
    plan_.settings.machine = folder_ / "machine.json";
    plan_.settings.sandbox = folder_ / "sandbox.json";
    plan_.settings.escape = ESCAPE;
    write_task("{dims: {N: 64}}");
    setting_.baseline.ours = true;
    setting_.idle = std::make_shared<IdleBox>(named("idle"), [this](const trial::BoxProgram& program) { return box(program); });
    setting_.open_box = [this](const trial::BoxProgram& program, std::span<const cases::PreparedCase>) { return box(program); };
    scene_.takes = {{"candidate kernel", 500us}, {"baseline kernel", 1ms}, {"framework kernel", 2ms}};
  }

  void TearDown() override {
    scene_.watch = [](FakeBox&, const std::string&) {};  // boxes close after what a test has looked at is gone
    setting_.kept.reset();
  }

  /// A task that is ReLU, timed at these dimensions.
  void write_task(const std::string& timed) {
    std::filesystem::create_directories(folder_ / "math/task");
    std::ofstream(folder_ / "math/task/task.yaml")
        << "summary: A task.\ndifficulty: 1\nmodel: |\n  task (float[N] x) => (float[N] y) { y = "
           "Relu(x) }\ntorch: torch.relu(x)\ndims: {N: [1, 40]}\ntiming: {cpu: "
        << timed << "}\n";
    std::ofstream(plan_.settings.machine) << "{}";
    prepare_timing(plan_, 1);
  }
  std::unique_ptr<FakeBox> box(const trial::BoxProgram& program) {
    opened_.push_back(program);
    return std::make_unique<FakeBox>(scene_, program);
  }
  /// The folder stands for a machine that gives no processor time to others, which this one may do.
  Bench bench() {
    return {plan_, code_, setting_, [] { return timing::MachinePeaks{.flops = 5e9, .bandwidth = 3e9, .writing = 1e12}; }, folder_.path()};
  }
  Record finished(Bench& bench) {
    for (std::size_t shape = 0; shape < bench.shapes(); ++shape)
      for (std::size_t launch = 0; launch < kLaunches; ++launch) bench.launch(shape);
    return filled(bench);
  }
  static Record filled(const Bench& bench) {
    Record record;
    record.device = record::Device{};
    bench.fill(record);
    return record;
  }
  /// A framework of this name whose boxes are FakeBoxes.
  void choose_framework(const std::string& reads = "torch") {
    plan_.settings.framework = plan::Framework{"framework 1.2", reads, {"float"}, {"framework"}, {}, false, false};
  }
  /// The box of this name that is opened next, and all others after it, meet `what` at their `which`th kernel, counted from 0.
  void where(const std::string& event, std::ptrdiff_t which, const std::function<void(FakeBox&)>& what) {
    scene_.watch = [=, this](FakeBox& box, const std::string& begins) {
      if (begins == event && scene_.count(event) == which) what(box);
    };
  }

  TemporaryFolder folder_;
  Scene scene_;
  std::vector<trial::BoxProgram> opened_;
  plan::Plan plan_;
  std::optional<plan::DeviceCode> code_;
  PairedSetting setting_{named("candidate"), named("baseline"), nullptr, {.judge = 0, .boxes = {0, 0, 0}}};
};

trial::Failure failure_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const CandidateFailed& failed) {
    return failed.failure;
  }
  ADD_FAILURE() << "nothing failed";
  return {};
}

TEST_F(BenchOfBoxes, RecordsWhatItWasAndWhatItFound) {
  Bench timed = bench();
  EXPECT_EQ(timed.shapes(), 1u);
  EXPECT_EQ(timed.shape_name(0), "N=64");
  EXPECT_EQ(timed.effort().pairs, static_cast<int>(kPairs));
  const Record record = finished(timed);
  EXPECT_EQ(record.verdict, Verdict::pass) << record.detail;
  EXPECT_EQ(record.effort, "quick");
  EXPECT_EQ(record.cache, "warm");
  EXPECT_EQ(record.launches, static_cast<int>(kLaunches));
  EXPECT_EQ(record.pairs, static_cast<int>(kPairs));
  EXPECT_EQ(record.baseline, "eigen");
  EXPECT_EQ(record.threads.value().candidate, 3);
  EXPECT_EQ(record.threads.value().baseline, 1);
  EXPECT_THAT(record.seed, StartsWith("0x"));
  EXPECT_TRUE(record.noise.has_value());
  EXPECT_NEAR(record.gbps.value(), 2 * 64 * 4 / 499e-6 * 1e-9, 1e-6) << "an input and an output in half a millisecond";
  EXPECT_FALSE(record.device.value().copy_gbps.has_value()) << "the machine's are no figures of a device";
  EXPECT_FALSE(record.device.value().gflops.has_value());
}

TEST_F(BenchOfBoxes, SaysWhereTheHypervisorGaveTimeToOthers) {
  const auto machine_has_given = [&](int ticks) {
    std::filesystem::create_directory(folder_ / "proc");
    std::ofstream(folder_ / "proc/stat") << fmt::format("cpu0 {} 0 0 0 0 0 0 {} 0 0\n", 3 * ticks, ticks);
  };
  machine_has_given(100);
  Bench timed = bench();
  machine_has_given(300);
  const Record record = finished(timed);
  EXPECT_EQ(record.verdict, Verdict::inconclusive);
  EXPECT_EQ(record.detail, "the hypervisor gave 25 % of the processors' time to others");
}

TEST_F(BenchOfBoxes, ShowsEachLaunch) {
  Bench timed = bench();
  for (std::size_t launch = 0; launch < kLaunches; ++launch) {
    const Bench::Shown shown = timed.launch(0);
    ASSERT_EQ(shown.seconds.size(), kPairs);
    for (const double seconds : shown.seconds) EXPECT_NEAR(seconds, 499e-6, 1e-9) << "less what an empty call takes";
    EXPECT_NEAR(shown.baseline_seconds, 999e-6, 1e-9);
    EXPECT_NEAR(shown.log_ratio, std::log(999.0 / 499), 1e-9);
  }
  EXPECT_EQ(scene_.count("candidate open"), static_cast<std::ptrdiff_t>(kLaunches));
  EXPECT_EQ(scene_.count("baseline open"), static_cast<std::ptrdiff_t>(kLaunches));
  EXPECT_EQ(scene_.count("idle open"), 1);
  EXPECT_EQ(scene_.count("candidate kernel"), static_cast<std::ptrdiff_t>(kLaunches * kCalls));
}

TEST_F(BenchOfBoxes, HasInputsOfItsOwnInEachLaunch) {
  std::vector<std::vector<std::byte>> seen;
  scene_.watch = [&](FakeBox& box, const std::string& begins) {
    if (begins != "candidate kernel") return;
    const auto input = box.input(0);
    seen.emplace_back(input.begin(), input.end());
  };
  Bench timed = bench();
  for (std::size_t launch = 0; launch < kLaunches; ++launch) timed.launch(0);
  const std::set<std::vector<std::byte>> different(seen.begin(), seen.end());
  EXPECT_EQ(seen.size(), kLaunches * kCalls);
  EXPECT_EQ(different.size(), seen.size() - (kLaunches - 1) * cases::kWarmups) << "warm-ups are drawn once";
}

TEST_F(BenchOfBoxes, OfTheCacheIsColdWhereThePlanSaysSo) {
  plan_.settings.cache = "cold";
  Bench timed = bench();
  EXPECT_EQ(finished(timed).cache, "cold");
}

TEST_F(BenchOfBoxes, TakesNoPartOfItsLaunches) {
  Bench timed = bench();
  for (std::size_t launch = 1; launch < kLaunches; ++launch) timed.launch(0);
  EXPECT_THROW(filled(timed), std::runtime_error);
  timed.launch(0);
  EXPECT_EQ(filled(timed).verdict, Verdict::pass);
  timed.launch(0);
  EXPECT_THROW(filled(timed), std::runtime_error);
}

TEST_F(BenchOfBoxes, TimesEachShape) {
  write_task("[{dims: {N: 64}}, {dims: {N: 30}}]");
  std::set<std::size_t> sizes;
  scene_.watch = [&](FakeBox& box, const std::string& begins) {
    if (begins == "candidate kernel") sizes.insert(box.input(0).size());
  };
  Bench timed = bench();
  ASSERT_EQ(timed.shapes(), 2u);
  EXPECT_EQ(timed.shape_name(1), "N=30");
  for (std::size_t launch = 0; launch < kLaunches; ++launch) timed.launch(0);
  EXPECT_THAT(sizes, ElementsAre(64 * 4));
  EXPECT_THROW(filled(timed), std::runtime_error) << "one shape is not timed";
  for (std::size_t launch = 0; launch < kLaunches; ++launch) timed.launch(1);
  EXPECT_THAT(sizes, ElementsAre(30 * 4, 64 * 4));
  const Record record = filled(timed);
  EXPECT_EQ(record.verdict, Verdict::pass) << record.detail;
  ASSERT_EQ(record.shapes.size(), 2u);
  EXPECT_EQ(record.shapes[1].dims.at("N"), 30);
}

TEST_F(BenchOfBoxes, NeedsAShape) {
  plan_.settings.shapes = "gpu";
  prepare_timing(plan_, 1);
  try {
    bench();
    FAIL() << "there is none";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "bench: task task has no timing: gpu");
  }
}

TEST_F(BenchOfBoxes, NeedsMemoryForItsShapes) {
  const auto refused = [this] {
    try {
      write_task("{dims: {N: 1000000000000}}");
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string why = "task task: tensors of its timing shapes 'cpu' do not fit in memory. do: give it smaller ones, or choose others";
  EXPECT_EQ(refused(), why);
  plan_.settings.profile = "npueval";
  EXPECT_EQ(refused(), why);
  EXPECT_THROW(prepare_cases(plan_, 1), std::runtime_error);
}

TEST_F(BenchOfBoxes, TimesTheShapesOfASuiteAndElseTheProcessors) {
  std::filesystem::create_directories(folder_ / "suites");
  const auto timed_at = [this](const std::string& suite, const std::string& shapes) {
    std::ofstream(folder_ / "suites" / (suite + ".yaml")) << "title: Ours\ntasks: {A: [task, other]}\nshapes: {" << shapes << "}\n";
    plan_.settings.shapes = suite;
    prepare_timing(plan_, 1);
    return cases::load_cases(plan_.task.timing()).timing.at(0).dims.at("N");
  };
  EXPECT_EQ(timed_at("ours", "task: {N: 33}"), 33);
  const std::string basis = basis_of(plan_).plan;
  EXPECT_EQ(timed_at("ours", "task: {N: 34}"), 34);
  EXPECT_NE(basis_of(plan_).plan, basis) << "what was timed at other shapes is stale";
  EXPECT_EQ(timed_at("theirs", "other: {N: 33}"), 64);
  plan_.settings.shapes = "of_another_folder";
  prepare_timing(plan_, 1);
  EXPECT_EQ(cases::load_cases(plan_.task.timing()).timing.at(0).dims.at("N"), 64) << "no such suite lies beside this task";
  EXPECT_EQ(basis_of(plan_).plan.size(), basis.size());
  plan_.settings.profile = "npueval";
  EXPECT_EQ(timed_at("ours", "task: {N: 35}"), 35);
  prepare_cases(plan_, 1);
  EXPECT_EQ(cases::load_cases(plan_.task.cases).cases.at(0).dims.at("N"), 35) << "whose rules test what they time";
}

TEST_F(BenchOfBoxes, LaunchesAgainAfterAKillButOnce) {
  where("candidate kernel", 3, [](FakeBox& box) { box.refuse({Verdict::crash, "killed", true}); });
  Bench timed = bench();
  EXPECT_EQ(finished(timed).verdict, Verdict::pass);
  EXPECT_EQ(scene_.count("candidate open"), static_cast<std::ptrdiff_t>(kLaunches + 1));

  scene_.watch = [this](FakeBox& box, const std::string& begins) {
    if (begins == "candidate open" && scene_.count("candidate open") >= 2) box.refuse({Verdict::crash, "killed", true});
  };
  scene_.events.clear();
  Bench again = bench();
  again.launch(0);
  again.launch(0);
  EXPECT_EQ(failure_of([&] { again.launch(0); }).detail, "killed") << "the second kill counts";
}

TEST_F(BenchOfBoxes, DrawsAfreshAfterAKill) {
  std::vector<std::vector<std::byte>> timed_inputs;
  scene_.watch = [&](FakeBox& box, const std::string& begins) {
    if (begins != "candidate kernel") return;
    timed_inputs.emplace_back(box.input(0).begin(), box.input(0).end());
    if (scene_.count("candidate kernel") == cases::kWarmups + 1) box.refuse({Verdict::crash, "killed", true});
  };
  Bench timed = bench();
  timed.launch(0);
  const std::set<std::vector<std::byte>> different(timed_inputs.begin(), timed_inputs.end());
  EXPECT_EQ(different.size(), timed_inputs.size() - cases::kWarmups) << "what the killed box has seen tells the next one nothing";
}

TEST_F(BenchOfBoxes, EndsAtTheFirstFailureThatIsNoKill) {
  where("candidate kernel", 3, [](FakeBox& box) { box.refuse({Verdict::crash, "boom"}); });
  Bench timed = bench();
  const trial::Failure failure = failure_of([&] { timed.launch(0); });
  EXPECT_EQ(failure.verdict, Verdict::crash);
  EXPECT_EQ(failure.detail, "boom");
  EXPECT_EQ(scene_.count("candidate open"), 1);
}

TEST_F(BenchOfBoxes, PreparesDeviceCodeForTheShape) {
  setting_.candidate.launch.emplace();
  setting_.open_box = [this](const trial::BoxProgram& program, std::span<const cases::PreparedCase> calls) {
    EXPECT_EQ(calls.size(), program.preparing ? 1 : kCalls);
    return box(program);
  };
  setting_.candidate.cache = folder_ / "kernel.cache";
  Bench timed = bench();
  timed.launch(0);
  EXPECT_TRUE(opened_.front().preparing);
  EXPECT_EQ(scene_.count("candidate open"), 2);
  timed.launch(0);
  EXPECT_EQ(scene_.count("candidate open"), 3) << "once for a shape";

  scene_.watch = [](FakeBox& box, const std::string& begins) {
    if (begins == "candidate open" && box.program().preparing) box.refuse({Verdict::out_of_bounds, "beyond"});
  };
  Bench again = bench();
  EXPECT_EQ(failure_of([&] { again.launch(0); }).detail, "beyond");
}

TEST_F(BenchOfBoxes, IsTimedAgainstAFrameworkThatReadsTheTask) {
  choose_framework();
  Bench timed = bench();
  const Record record = finished(timed);
  EXPECT_EQ(record.verdict, Verdict::pass) << record.detail;
  EXPECT_EQ(record.baseline, "framework 1.2");
  EXPECT_EQ(record.threads.value().baseline, 3);
  EXPECT_EQ(scene_.count("framework open"), 1) << "one process serves all launches";
  EXPECT_EQ(scene_.count("baseline open"), 0);
  ASSERT_EQ(opened_.front().argv.size(), 2u);
  EXPECT_THAT(opened_.front().argv[1], HasSubstr("torch.relu(x)"));
  EXPECT_EQ(opened_.front().threads, 3);
}

TEST_F(BenchOfBoxes, StartsAFrameworkForEachShape) {
  write_task("[{dims: {N: 64}}, {dims: {N: 30}}]");
  choose_framework("model");
  Bench timed = bench();
  EXPECT_EQ(finished(timed).baseline, "framework 1.2");
  EXPECT_EQ(scene_.count("framework open"), 2);
}

TEST_F(BenchOfBoxes, TakesTheBuiltInBaselineForAllShapesWhereAFrameworkIsUnsuited) {
  write_task("[{dims: {N: 64}}, {dims: {N: 30}}]");
  choose_framework();
  int asked = 0;
  setting_.open_box = [&](const trial::BoxProgram& program, std::span<const cases::PreparedCase>) -> std::unique_ptr<trial::Box> {
    if (program.argv.front() == "framework" && ++asked == 1) throw trial::Unsuited("no such operator");
    return box(program);
  };
  Bench timed = bench();
  testing::internal::CaptureStdout();
  const Record record = finished(timed);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "the baseline is eigen: no such operator\n");
  EXPECT_EQ(record.baseline, "eigen");
  EXPECT_EQ(record.threads.value().baseline, 1);
  EXPECT_EQ(asked, 1) << "the second shape has the same baseline";
}

TEST_F(BenchOfBoxes, CannotChangeItsBaselineBetweenShapes) {
  write_task("[{dims: {N: 64}}, {dims: {N: 30}}]");
  choose_framework();
  int asked = 0;
  setting_.open_box = [&](const trial::BoxProgram& program, std::span<const cases::PreparedCase>) -> std::unique_ptr<trial::Box> {
    if (program.argv.front() == "framework" && ++asked == 2) throw trial::Unsuited("no such operator");
    return box(program);
  };
  Bench timed = bench();
  for (std::size_t launch = 0; launch < kLaunches; ++launch) timed.launch(0);
  EXPECT_THROW(timed.launch(1), trial::Unsuited);
}

TEST_F(BenchOfBoxes, RecordsTheFiguresOfADeviceThatHasMemoryOfItsOwn) {
  setting_.candidate.transfers = true;
  scene_.device_takes = {{"candidate kernel", 300us}};
  Bench timed = bench();
  const Record record = finished(timed);
  EXPECT_EQ(record.device.value().copy_gbps, 3);
  EXPECT_EQ(record.device.value().gflops, 5);
}

TEST_F(BenchOfBoxes, OfBatchesHasACacheThatIsFullOfOtherData) {
  setting_.candidate.transfers = true;
  scene_.batches = {{"candidate", 64}};
  scene_.device_takes = {{"candidate kernel", 300us}};
  scene_.takes["candidate batch"] = 300us * (kPairs + cases::kProbes);
  Bench timed = bench();
  EXPECT_EQ(finished(timed).cache, "cold");
}

/// A kernel of 300 us in batches, of which the judge's clock says so much more in the batches of this number, counted from 0.
class BenchOfBatches : public BenchOfBoxes {
 protected:
  BenchOfBatches() {
    setting_.candidate.transfers = true;
    scene_.batches = {{"candidate", 64}};
    scene_.device_takes = {{"candidate kernel", 300us}};
  }
  /// Two batches for each launch: of the warm-ups, and of all other calls.
  Record slow_in(const std::set<std::ptrdiff_t>& launches, std::size_t all = kLaunches) {
    scene_.watch = [=, this](FakeBox&, const std::string& begins) {
      if (begins != "candidate batch") return;
      const std::ptrdiff_t batch = scene_.count("candidate batch");
      const std::size_t timed = (all == kLaunches ? kPairs : 16) + cases::kProbes;
      scene_.takes["candidate batch"] =
          300us * (batch % 2 == 0 ? cases::kWarmups : timed) + (launches.contains(batch / 2) ? 50 * timed : 0) * 1ms;
    };
    Bench timed = bench();
    for (std::size_t launch = 0; launch < all; ++launch) timed.launch(0);
    return filled(timed);
  }
};

TEST_F(BenchOfBatches, PassesWhereTheClocksAgree) {
  EXPECT_EQ(slow_in({}).verdict, Verdict::pass);
  EXPECT_EQ(scene_.count("candidate open"), static_cast<std::ptrdiff_t>(kLaunches));
}

TEST_F(BenchOfBatches, PassesWhereProcessorsAreSoManyThatAllIsDrawnAhead) {
  setting_.processors.boxes.assign(40, setting_.processors.judge);
  EXPECT_EQ(slow_in({}).verdict, Verdict::pass);
}

TEST_F(BenchOfBatches, MakesTwoLaunchesAgainWhereTheyDoNot) {
  const Record record = slow_in({1, 3});
  EXPECT_EQ(record.verdict, Verdict::pass) << record.detail;
  EXPECT_EQ(scene_.count("candidate open"), static_cast<std::ptrdiff_t>(kLaunches + 2));
}

TEST_F(BenchOfBatches, MakesALaunchAgainUntilTheyAgree) {
  EXPECT_EQ(slow_in({0, 1}).verdict, Verdict::pass);
  EXPECT_EQ(scene_.count("candidate open"), static_cast<std::ptrdiff_t>(kLaunches + 2));
}

TEST_F(BenchOfBatches, DoesNotBelieveWhoHidesTimeInThreeLaunches) {
  const Record record = slow_in({1, 3, 6});
  EXPECT_EQ(record.verdict, Verdict::inconclusive);
  EXPECT_THAT(record.detail, HasSubstr("300 us by the device's clock, 5.03e+04 us by the judge's")) << "of the launch that counts";
  EXPECT_EQ(scene_.count("candidate open"), static_cast<std::ptrdiff_t>(kLaunches + 2)) << "no more are made again";
}

TEST_F(BenchOfBatches, SuspectsWhoHidesTimeInMost) {
  EXPECT_EQ(slow_in({0, 1, 2, 4, 6}).verdict, Verdict::suspect_fast) << "the last three count, of five";
}

TEST_F(BenchOfBatches, MakesAFifthOfManyLaunchesAgain) {
  plan_.settings.effort = "standard";
  std::set<std::ptrdiff_t> slow;
  for (std::ptrdiff_t i = 0; i < 21; ++i) slow.insert(2 * i);
  const auto passes = [&](std::ptrdiff_t doubted) {
    scene_.events.clear();
    std::set<std::ptrdiff_t> first;
    std::copy_n(slow.begin(), doubted, std::inserter(first, first.end()));
    return slow_in(first, 100).verdict == Verdict::pass;
  };
  EXPECT_TRUE(passes(20));
  EXPECT_FALSE(passes(21));
}

class BenchSetting : public testing::Test {
 protected:
  BenchSetting() {
    plan_.task.task_yaml = folder_ / "math/task/task.yaml";
    plan_.task.time_limit = 20s;
    plan_.toolchain.box = "/proc/self/exe";
    plan_.settings.machine = folder_ / "machine.json";
    plan_.settings.sandbox = folder_ / "sandbox.json";
    plan_.settings.escape = ESCAPE;
    plan_.settings.baseline = "/bin/true";
    std::ofstream(folder_ / "kernel.so");
    candidate_.prefix = folder_ / "kernel";
    std::filesystem::create_directories(folder_ / "math/task");
    std::ofstream(folder_ / "math/task/task.yaml") << "summary: A task.\ndifficulty: 1\nmodel: |\n  task (float[N] x) => (float[N] y) { y "
                                                      "= Relu(x) }\ndims: {N: [1, 40]}\ntiming: {cpu: {dims: {N: 64}}}\n";
    unsetenv(kResources);
  }
  ~BenchSetting() override { unsetenv(kResources); }

  PairedSetting setting(const std::optional<plan::DeviceCode>& code = {}, std::shared_ptr<const timing::Seat> seat = nullptr) {
    return candidate_against_baseline(plan_, candidate_, code, std::move(seat));
  }
  static plan::DeviceCode code_for(const std::string& kind) {
    plan::DeviceCode code;
    code.source =
        "/* launch\n kernel run grid [N] block [1] (x, y, N)\n*/\nextern \"C\" __global__ void run(const float* x, float* y, long long N) "
        "{}\n";
    code.device.kind = kind;
    code.device.selector = "1#0";
    code.device.work_group = 64;
    code.device.work_items = {64, 64, 64};
    return code;
  }

  static constexpr const char* kResources = "CTEST_RESOURCE_GROUP_COUNT";
  TemporaryFolder folder_;
  plan::Plan plan_;
  plan::Candidate candidate_;
};

TEST_F(BenchSetting, HasAllProcessorsAndABudget) {
  const PairedSetting made = setting();
  const sandbox::Processors all = sandbox::processors();
  EXPECT_EQ(made.processors.judge, all.judge);
  EXPECT_EQ(made.processors.boxes, all.boxes);
  EXPECT_EQ(made.candidate.threads, static_cast<int>(all.boxes.size()));
  EXPECT_EQ(made.candidate.budget->limit(), bench_budget(20s));
  EXPECT_THAT(made.candidate.argv, ElementsAre("/proc/self/exe", (folder_ / "kernel.so").string()));
  EXPECT_THAT(made.baseline.argv, ElementsAre("/bin/true", plan_.task.task_yaml.text()));
  EXPECT_NE(made.idle, nullptr);
  EXPECT_TRUE(made.is_witness);
  EXPECT_FALSE(made.cold);
  EXPECT_FALSE(made.read_device);
}

TEST_F(BenchSetting, KnowsTwoStatesOfTheCaches) {
  plan_.settings.cache = "cold";
  EXPECT_TRUE(setting().cold);
  plan_.settings.cache = "tepid";
  try {
    setting();
    FAIL() << "an unknown state";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "bench: unknown state of the caches 'tepid'. known: warm cold");
  }
}

TEST_F(BenchSetting, HasTheProcessorsOfItsSeat) {
  const sandbox::Processors all{.judge = 4, .boxes = {5, 6, 7, 8}};
  const timing::Seat first(plan_.settings.machine, all);
  const PairedSetting made = setting({}, std::make_shared<const timing::Seat>(plan_.settings.machine, all));
  EXPECT_EQ(made.processors.judge, 6);
  EXPECT_THAT(made.processors.boxes, ElementsAre(7));
  EXPECT_EQ(made.candidate.threads, 1);
  EXPECT_THAT(timing::Helpers(made).cpus(), testing::UnorderedElementsAre(6, 7));
}

TEST_F(BenchSetting, TakesASeatWhereCTestHandsOutDevices) {
  EXPECT_EQ(take_seat(plan_, code_for("gpu")), nullptr);
  setenv(kResources, "1", 1);
  EXPECT_NE(take_seat(plan_, code_for("gpu")), nullptr);
  EXPECT_EQ(take_seat(plan_, {}), nullptr) << "no device, no turns";
}

TEST_F(BenchSetting, OfAGpuTakesTurnsAndReadsIt) {
  const PairedSetting made = setting(code_for("gpu"));
  EXPECT_TRUE(made.candidate.transfers);
  EXPECT_TRUE(made.read_device);
  const timing::Turn turn = made.turns.alone();
  EXPECT_TRUE(std::ranges::any_of(std::filesystem::directory_iterator(folder_.path()), [](const auto& entry) {
    return entry.path().extension() == ".lock";
  })) << "the turn is a lock beside the machine's file";
}

TEST_F(BenchSetting, OfAProcessorThatRunsDeviceCodeTakesNone) {
  const PairedSetting made = setting(code_for("cpu"));
  EXPECT_FALSE(made.candidate.transfers);
  EXPECT_FALSE(made.read_device);
}

TEST_F(BenchSetting, HasThePeaksOfTheMachine) {
  std::ofstream(plan_.settings.machine) << R"({"flops": 4.0, "bandwidth": 3.0, "writing": 1.0, "native": true})";
  EXPECT_EQ(peaks_for(plan_, setting()).flops, 4);
}

}  // namespace
}  // namespace assay::stages
