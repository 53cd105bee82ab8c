// SPDX-License-Identifier: Apache-2.0
// What is read from the kernel's files, from text of a known machine.
#include "assay/judge/machine_state.h"

#include <gtest/gtest.h>

#include <chrono>

namespace assay {
namespace {

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

TEST(NoiseMeter, CountsFromItsConstruction) {
  const NoiseMeter meter({0});
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(50)) {
  }
  const Noise noise = meter.read();
  EXPECT_GE(noise.steal, 0);
  EXPECT_LE(noise.steal, 1);
  EXPECT_GE(noise.switches, 0);
  EXPECT_LE(noise.pressure.value_or(0), 1);
}

TEST(MachineState, HasEverySetting) {
  const auto state = machine_state();
  for (const char* key : {"governor", "boost", "smt", "aslr", "transparent_huge_pages"})
    EXPECT_FALSE(state.at(key).get<std::string>().empty()) << key;
  EXPECT_GE(state.at("swap_mib"), 0);
  EXPECT_GE(state.at("load"), 0);
}

}  // namespace
}  // namespace assay
