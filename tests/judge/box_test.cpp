// SPDX-License-Identifier: Apache-2.0
// A box with a kernel of the test's own.
#include <gtest/gtest.h>

#include <cstring>

#include "assay/judge/machine.h"
#include "stages_fixture.h"
#include "trial.h"

namespace assay {
namespace {

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
  std::vector<int> cpus = processors().boxes;
  if (const int judge = processors().judge; judge != cpus.front()) cpus.push_back(judge);  // one processor serves both
  const Stages stages(ASSAY, PLAN);
  const auto source = stages.folder() / "where.cpp";
  std::ofstream(source) << kWhere;
  ASSERT_EQ(record_of(stages.compile(source))["verdict"], "PASS");
  const Plan plan = load_plan(stages.folder() / "plan.json");
  BoxProgram program = candidate_program(plan, {"hostile", 8, {}, stages.folder() / "kernel"}, 1, std::chrono::seconds(60));
  program.cpus = cpus;
  program.timing = true;
  Box box(program, 4096, 4096, 2);
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

}  // namespace
}  // namespace assay
