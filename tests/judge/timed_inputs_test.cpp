// SPDX-License-Identifier: Apache-2.0
#include "timed_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "assay/judge/machine.h"
#include "written_task.h"

namespace assay {
namespace {

const char* const kDims = "dims: {N: [1, 20], K: [1, 40]}\ntiming: {cpu: {dims: {N: 24, K: 50}}}\n";

class TimedInputsOfAProduct : public testing::Test {
 protected:
  TimedDraw draw(const Seed& seed, std::size_t shape_index = 0) const {
    return TimedDraw(task_, cases_.timing.front(), shape_index, seed, "", {processors().judge});
  }

  Task task_ = written_task("(float[N, K] x, float[K, N] w) => (float[N, N] y) { y = MatMul(x, w) }", kDims);
  CaseFile cases_ = prepare_all(task_, 1);
};

std::vector<std::vector<Bytes>> inputs_of(const LaunchInputs& launch) {
  std::vector<std::vector<Bytes>> inputs;
  for (const PreparedCase& call : launch.calls) inputs.push_back(call.inputs);
  return inputs;
}

TEST_F(TimedInputsOfAProduct, AreThoseOfNoOtherCallOrLaunch) {
  TimedDraw drawn = draw(7);
  std::set<Bytes> seen;
  std::size_t tensors = 0;
  for (std::size_t launch = 0; launch < 8; ++launch)
    for (const PreparedCase& call : drawn.launch(launch).calls)
      for (const Bytes& input : call.inputs) ++tensors, seen.insert(input);
  EXPECT_EQ(tensors, 8u * (kWarmups + kPairs + kProbes) * 2);
  EXPECT_EQ(seen.size(), tensors);
  EXPECT_NE(inputs_of(draw(7).launch(0)), inputs_of(draw(7, 1).launch(0))) << "of two shapes";
}

TEST_F(TimedInputsOfAProduct, AreReplayedByTheSeed) {
  TimedDraw first = draw(7), second = draw(7);
  second.launch(0);  // what was drawn before makes no difference
  EXPECT_EQ(inputs_of(first.launch(3)), inputs_of(second.launch(3)));
  EXPECT_NE(inputs_of(draw(8).launch(3)), inputs_of(second.launch(3)));
}

TEST_F(TimedInputsOfAProduct, HaveEveryClassWithinFourLaunchesOfAnySeed) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    TimedDraw drawn = draw(seed);
    std::set<std::string> classes;
    for (std::size_t launch = 0; launch < 4; ++launch) {
      const LaunchInputs& inputs = drawn.launch(launch);
      for (std::size_t i = 0; i < inputs.calls.size(); ++i)
        if (inputs.probes[i]) classes.insert(inputs.calls[i].name.substr(inputs.calls[i].name.find(", ") + 2));
    }
    EXPECT_EQ(classes, (std::set<std::string>{"mixed", "special", "log_uniform", "largest", "wide", "offset", "exact", "exact_products"}));
  }
}

TEST_F(TimedInputsOfAProduct, HideTheirProbesAmongThePairs) {
  std::map<std::size_t, int> places;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    TimedDraw drawn = draw(seed);
    const std::vector<bool>& probes = drawn.launch(0).probes;
    ASSERT_EQ(probes.size(), static_cast<std::size_t>(kWarmups + kPairs + kProbes));
    for (std::size_t i = 0; i < probes.size(); ++i) places[i] += probes[i];
    EXPECT_EQ(std::ranges::count(probes, true), kProbes);
  }
  EXPECT_EQ(places[0] + places[1], 0) << "warm-ups do not count anyway";
  EXPECT_EQ(places[kWarmups + kPairs + kProbes - 1], 0) << "a pair comes after every probe";
  for (std::size_t i = kWarmups; i < kWarmups + kPairs + kProbes - 1; ++i) EXPECT_GT(places[i], 0) << "place " << i;
}

TEST_F(TimedInputsOfAProduct, AreMetByHonestKernels) {
  TimedDraw drawn = draw(3);
  for (std::size_t launch = 0; launch < 4; ++launch) {
    const LaunchInputs& inputs = drawn.launch(launch);
    for (std::size_t call = 0; call < inputs.calls.size(); ++call) {
      std::vector<std::vector<Bytes>> outputs;
      for (const SumOrder order : {SumOrder::natural, SumOrder::strided, SumOrder::blocked})
        outputs.push_back(evaluate_honestly(task_, inputs.calls[call], order));
      outputs.push_back({Bytes(outputs.front().front().size(), std::byte{0xff})});  // NaN
      const std::vector<Comparison> comparisons = drawn.judge(call, outputs);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(comparisons.at(i).accepted) << comparisons[i].detail;
      EXPECT_TRUE(inputs.probes[call] || !comparisons.at(3).accepted);
    }
  }
}

TEST(TimedInputs, OfAProfileAreItsOwnAlone) {
  const Task task = written_task("(float[N, K] x) => (float[N, K] y) { y = Relu(x) }", kDims);
  const TimingShape shape{{{"N", 3}, {"K", 4}}, {{16, 4}}, {}, {}};
  TimedDraw drawn(task, shape, 0, 1, "kernelbench", {processors().judge});
  EXPECT_TRUE(std::ranges::none_of(drawn.launch(0).probes, std::identity{}));
}

}  // namespace
}  // namespace assay
