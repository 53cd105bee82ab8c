// SPDX-License-Identifier: Apache-2.0
// A box with a kernel of the test's own.
#include <gtest/gtest.h>
#include <signal.h>

#include <cstring>
#include <thread>

#include "assay/sandbox/processors.h"
#include "assay/trial/trial.h"
#include "stages_fixture.h"

namespace assay::trial {
namespace {

using record::Verdict;

constexpr std::chrono::seconds kLimit{10};

/// Where the call ran, and on how many processors a thread of its own may.
constexpr const char* kWhere = R"(
#include <sched.h>

#include <thread>

#include "kernel.h"

extern "C" void relu(const float*, float* y, int64_t, int64_t) {
  y[0] = sched_getcpu();
  std::thread([y] {
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    y[1] = CPU_COUNT(&allowed);
  }).join();
}
)";

float output(const Box& box, std::size_t i) {
  float value = 0;
  std::memcpy(&value, box.output(0).data() + i * sizeof value, sizeof value);
  return value;
}

TEST(Box, BeginsWhereItIsToldAndLeavesThreadsFree) {
  std::vector<int> cpus = sandbox::processors().boxes;
  if (const int judge = sandbox::processors().judge; judge != cpus.front()) cpus.push_back(judge);  // one processor serves both
  const Stages stages(ASSAY, PLAN);
  const auto source = stages.folder() / "where.cpp";
  std::ofstream(source) << kWhere;
  ASSERT_EQ(record_of(stages.compile(source))["verdict"], "PASS");
  const plan::Plan plan = plan::load_plan(stages.folder() / "plan.json");
  BoxProgram program = candidate_program(plan, {"hostile", 8, {}, stages.folder() / "kernel"}, {}, 1, std::chrono::seconds(60));
  program.cpus = cpus;
  program.timing = true;
  ConfinedBox box(program, 4096, 4096, 2);
  box.set_layout({8}, {8}, {}, {1, 2});
  constexpr int kRounds = 20;
  int begun = 0;
  for (int round = 0; round < kRounds; ++round) {
    const int cpu = cpus[static_cast<std::size_t>(round) % cpus.size()];
    box.begin_on(cpu);
    ASSERT_TRUE(box.call(wire::CallKind::kernel, kLimit)) << box.failure()->detail;
    begun += output(box, 0) == static_cast<float>(cpu);
    EXPECT_EQ(output(box, 1), static_cast<float>(cpus.size()));
  }
  EXPECT_GE(begun, kRounds - 3) << "the scheduler may have moved one";
}

constexpr const char* kSleeps = R"(
#include <unistd.h>
#include "kernel.h"
__attribute__((constructor)) static void sleep_at_load() { usleep(300000); }
extern "C" void relu(const float*, float*, int64_t, int64_t) { usleep(300000); }
)";

/// No call, and no load, takes long; all together do.
TEST(Box, HasATimeBudgetOverAllItsCallsAndLoads) {
  const Stages stages(ASSAY, PLAN);
  const auto source = stages.folder() / "sleeps.cpp";
  std::ofstream(source) << kSleeps;
  ASSERT_EQ(record_of(stages.compile(source))["verdict"], "PASS");
  const plan::Plan plan = plan::load_plan(stages.folder() / "plan.json");
  const BoxProgram program = candidate_program(plan, {"hostile", 8, {}, stages.folder() / "kernel"}, {}, 1, std::chrono::seconds(2));
  int calls = 0;
  std::optional<Failure> failure;
  for (int box_number = 0; box_number < 10 && !failure; ++box_number) {
    ConfinedBox box(program, 4096, 4096, 2);
    if (!box.failure()) box.set_layout({8}, {8}, {}, {1, 2});
    if (box.call(wire::CallKind::kernel, kLimit)) ++calls;
    failure = box.failure();
  }
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->verdict, Verdict::timeout);
  EXPECT_NE(failure->detail.find("longer than 2 s in all"), std::string::npos) << failure->detail;
  EXPECT_GE(calls, 1);
  EXPECT_LE(calls, 3);
}

TEST(Box, SaysOfAKillThatASecondRunDecides) {
  const Stages stages(ASSAY, PLAN);
  const auto source = stages.folder() / "sleeps.cpp";
  std::ofstream(source) << kSleeps;
  ASSERT_EQ(record_of(stages.compile(source))["verdict"], "PASS");
  const plan::Plan plan = plan::load_plan(stages.folder() / "plan.json");
  ConfinedBox box(candidate_program(plan, {"hostile", 8, {}, stages.folder() / "kernel"}, {}, 1, kLimit), 4096, 4096, 2);
  box.set_layout({8}, {8}, {}, {1, 2});
  std::thread killer([&box] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    kill(box.process(), SIGKILL);
  });
  EXPECT_FALSE(box.call(wire::CallKind::kernel, kLimit));
  killer.join();
  ASSERT_TRUE(box.failure());
  EXPECT_TRUE(box.failure()->killed);
  EXPECT_EQ(box.failure()->verdict, Verdict::crash);
}

/// The candidate of a task that adds up `count` inputs; a wrong one leaves the last of them out.
std::string adder(int count, bool wrong) {
  std::string parameters, sum;
  for (int i = 0; i < count; ++i) {
    parameters += fmt::format("const float* x{}, ", i);
    if (!wrong || i + 1 < count) sum += fmt::format(" + x{}[i]", i);
  }
  return fmt::format("#include \"kernel.h\"\nvoid adder({}float* y, int64_t N) {{\n  for (int64_t i = 0; i < N; ++i) y[i] = 0.f{};\n}}\n",
                     parameters, sum);
}

/// From task.yaml by way of kernel.h, stub, wire and box to the verdict.
TEST(Tensors, MayBeFarMoreThanOneCallHasElsewhere) {
  constexpr int kInputs = 200;
  std::string declared, names;
  for (int i = 0; i < kInputs; ++i) {
    declared += fmt::format("{}float[N] x{}", i > 0 ? ", " : "", i);
    names += fmt::format("{}x{}", i > 0 ? ", " : "", i);
  }
  Stages stages(ASSAY, PLAN);
  stages.take_function(
      "adder", fmt::format("summary: The sum of many vectors.\ndifficulty: 1\nmodel: |\n  adder ({}) => (float[N] y)\n  {{ y = Sum({}) }}\n"
                           "dims: {{N: [1, 40]}}\ntiming: {{cpu: {{dims: {{N: 512}}}}}}\n",
                           declared, names));
  const auto judged = [&](bool wrong) {
    std::ofstream(stages.folder() / "adder.cpp") << adder(kInputs, wrong);
    const nlohmann::json record = stages.judge(stages.folder() / "adder.cpp");
    return record["verdict"].get<std::string>() + ": " + record["detail"].get<std::string>();
  };
  EXPECT_EQ(judged(false), "PASS: ");
  EXPECT_EQ(judged(true).substr(0, 12), "WRONG_RESULT");
}

}  // namespace
}  // namespace assay::trial
