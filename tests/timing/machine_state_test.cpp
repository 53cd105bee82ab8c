// SPDX-License-Identifier: Apache-2.0
// What is read from the kernel's files, from text of a known machine.
#include "assay/timing/machine_state.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "assay/sandbox/processors.h"
#include "temporary_folder.h"

namespace assay::timing {
namespace {

namespace fs = std::filesystem;

const char* const kStat =
    "cpu  30 0 30 600 0 0 0 40 5 0\n"
    "cpu0 10 0 10 100 0 0 0 30 5 0\n"
    "cpu1 10 0 10 200 0 0 0 10 0 0\n"
    "cpu10 10 0 10 300 0 0 0 0 0 0\n"
    "intr 12345\n";

TEST(ProcessorTime, IsOfTheProcessorsAskedFor) {
  const ProcessorTime both = processor_time(kStat, {0, 1});
  EXPECT_EQ(both.total, 150 + 230);
  EXPECT_EQ(both.stolen, 40);
  EXPECT_EQ(processor_time(kStat, {1}).total, 230);
  EXPECT_EQ(processor_time(kStat, {7}).total, 0);
}

TEST(Pressure, IsTheTotalOfSomeTask) {
  EXPECT_EQ(stalled_microseconds("some avg10=0.06 avg60=0.27 avg300=3.31 total=5321\nfull avg10=0.00 total=7\n"), 5321);
  EXPECT_FALSE(stalled_microseconds(""));
}

/// A machine of files.
class Machine {
 public:
  void write(const fs::path& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  const fs::path& root() const { return root_.path(); }

 private:
  TemporaryFolder root_;
};

TEST(NoiseMeter, CountsFromItsConstruction) {
  const Machine machine;
  machine.write("proc/stat", kStat);
  machine.write("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=5000\n");
  machine.write("proc/loadavg", "0.75 0.10 0.20 1/100 4711\n");
  const NoiseMeter meter({0}, machine.root());
  machine.write("proc/stat", "cpu0 15 0 15 150 0 0 0 60 5 0\ncpu1 99 0 99 999 0 0 0 999 0 0\n");
  machine.write("proc/loadavg", "5.00 0.10 0.20 1/100 4711\n");
  const record::Noise noise = meter.read();
  EXPECT_DOUBLE_EQ(noise.steal, 30.0 / 90);
  EXPECT_EQ(noise.load, 0.75) << "at the start";
  EXPECT_EQ(noise.pressure, 0);
  machine.write("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=999999999999\n");
  EXPECT_EQ(meter.read().pressure, 1);
}

TEST(NoiseMeter, GivesPressureAsAShareOfTheTime) {
  const Machine machine;
  machine.write("proc/pressure/cpu", "some total=0\n");
  const auto begin = std::chrono::steady_clock::now();
  const NoiseMeter meter({0}, machine.root());
  machine.write("proc/pressure/cpu", "some total=10000\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(40));
  const double share = meter.read().pressure.value();
  const std::chrono::duration<double> most = std::chrono::steady_clock::now() - begin;
  EXPECT_LE(share, 0.25);
  EXPECT_GE(share, 0.01 / most.count());
}

TEST(NoiseMeter, KnowsNothingWhereTheKernelDoesNotTell) {
  const Machine machine;
  const record::Noise noise = NoiseMeter({0}, machine.root()).read();
  EXPECT_EQ(noise.steal, 0);
  EXPECT_EQ(noise.load, 0);
  EXPECT_FALSE(noise.pressure);
}

/// Two threads that spin on one processor take it from each other.
TEST(NoiseMeter, CountsSwitches) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const NoiseMeter meter({0});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) {
    }
  });
  while (meter.read().switches < 3 && std::chrono::steady_clock::now() < deadline) {
  }
  done = true;
  other.join();
  sched_setaffinity(0, sizeof before, &before);
  EXPECT_GE(meter.read().switches, 3);
  const NoiseMeter later({0});
  EXPECT_LT(later.read().switches, meter.read().switches);
}

TEST(MachineState, IsWhatTheKernelsFilesSay) {
  const Machine machine;
  machine.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  machine.write("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  machine.write("sys/devices/system/cpu/smt/control", "forceoff\n");
  machine.write("proc/sys/kernel/randomize_va_space", "2\n");
  machine.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  machine.write("proc/meminfo", "MemTotal: 9999 kB\nSwapCached: 77 kB\nSwapTotal: 4096 kB\nSwapFree: 1024 kB\n");
  machine.write("proc/loadavg", "1.25 0.50 0.25 2/300 4711\n");
  const nlohmann::json expected{
      {"governor", "powersave"}, {"boost", "off"}, {"smt", "forceoff"}, {"aslr", "2"}, {"transparent_huge_pages", "always [madvise] never"},
      {"swap_mib", 3},           {"load", 1.25}};
  EXPECT_EQ(nlohmann::json(machine_state(machine.root())), expected);
  machine.write("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
  EXPECT_EQ(machine_state(machine.root())["boost"], "on");
  machine.write("sys/devices/system/cpu/cpufreq/boost", "0\n");
  EXPECT_EQ(machine_state(machine.root())["boost"], "off") << "the driver with this file decides";
  machine.write("sys/devices/system/cpu/cpufreq/boost", "1\n");
  EXPECT_EQ(machine_state(machine.root())["boost"], "on");
}

TEST(MachineState, IsUnknownWhereTheKernelDoesNotTell) {
  const Machine machine;
  const nlohmann::json expected{
      {"governor", "unknown"}, {"boost", "unknown"}, {"smt", "unknown"}, {"aslr", "unknown"}, {"transparent_huge_pages", "unknown"},
      {"swap_mib", 0},         {"load", 0.0}};
  EXPECT_EQ(nlohmann::json(machine_state(machine.root())), expected);
}

TEST(MachineState, FindsTheRealFiles) {  // which every Linux has
  EXPECT_NE(machine_state()["aslr"], "unknown");
}

TEST(Processors, AreSharedByJudgesThatRunSideBySide) {
  const sandbox::Processors all{0, {1, 2, 3, 4}};
  const auto shared = [&](int number) {
    const auto [judge, boxes] = sandbox::share_of(all, number);
    return std::pair(judge, boxes);
  };
  EXPECT_EQ(sandbox::shares_of(all), 2);
  EXPECT_EQ(shared(0), std::pair(0, std::vector{1}));
  EXPECT_EQ(shared(1), std::pair(2, std::vector{3}));
  EXPECT_EQ(sandbox::shares_of({0, {1, 2}}), 1);
  EXPECT_EQ(sandbox::share_of({0, {1, 2}}, 0).boxes, (std::vector{1, 2}));  // too few to share
  EXPECT_EQ(sandbox::shares_of({0, {0}}), 1);
}

}  // namespace
}  // namespace assay::timing
