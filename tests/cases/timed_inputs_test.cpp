// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/timed_inputs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "assay/cases/profile.h"
#include "assay/sandbox/processors.h"
#include "assay/spec/cases.h"
#include "written_task.h"

namespace assay::cases {
namespace {

using oracle::SumOrder;

constexpr int kPairs = 16;
const std::vector kCpus = {sandbox::processors().judge};
const char* const kTimedDims = "dims: {N: [1, 20], K: [1, 40]}\ntiming: {cpu: {dims: {N: 24, K: 50}}}\n";

class TimedInputsOfAProduct : public testing::Test {
 protected:
  TimedDraw draw(const Seed& seed, std::size_t shape_index = 0) const {
    return TimedDraw(task_, cases_.timing.front(), shape_index, seed, kPairs, "");
  }

  spec::Task task_ = written_task("(float[N, K] x, float[K, N] w) => (float[N, N] y) { y = MatMul(x, w) }", kTimedDims);
  CaseFile cases_ = prepare_timing(task_, 1);
};

std::vector<std::vector<Bytes>> inputs_of(const LaunchInputs& launch) {
  std::vector<std::vector<Bytes>> inputs;
  for (const PreparedCase& call : launch.calls) inputs.push_back(call.inputs);
  return inputs;
}

/// Those of the probes.
std::set<std::string> classes_of(const LaunchInputs& launch) {
  std::set<std::string> classes;
  for (std::size_t i = 0; i < launch.calls.size(); ++i)
    if (launch.probes[i]) classes.insert(launch.calls[i].name.substr(launch.calls[i].name.find(", ") + 2));
  return classes;
}

/// What is said of one call of the launch that was drawn last; nothing where it is not due. That launch is drawn again.
TimedDraw::Judged judged_call(TimedDraw& draw, std::size_t launch, std::size_t call, const std::vector<Bytes>& outputs,
                              const std::vector<Bytes>& witness) {
  std::vector<CallOutputs> given(call + 1);
  given.back() = {outputs, witness};
  draw.take(std::move(given), kCpus);
  const std::vector<TimedDraw::Judged> judged = draw.judge_due(kCpus);
  draw.launch(launch, kCpus);
  return judged.empty() ? TimedDraw::Judged{} : judged.front();
}

TEST_F(TimedInputsOfAProduct, AreThoseOfNoOtherCallOrLaunch) {
  TimedDraw drawn = draw(7);
  std::set<Bytes> seen;
  std::size_t tensors = 0;
  for (std::size_t launch = 0; launch < 8; ++launch) {
    const std::vector<PreparedCase>& calls = drawn.launch(launch, kCpus).calls;
    for (std::size_t call = launch == 0 ? 0 : kWarmups; call < calls.size(); ++call)
      for (const Bytes& input : calls[call].inputs) ++tensors, seen.insert(input);
  }
  EXPECT_EQ(tensors, (kWarmups + 8u * (kPairs + kProbes)) * 2);
  EXPECT_EQ(seen.size(), tensors);
  const auto first = inputs_of(drawn.launch(0, kCpus)), last = inputs_of(drawn.launch(7, kCpus));
  EXPECT_TRUE(std::equal(first.begin(), first.begin() + kWarmups, last.begin())) << "warm-ups are drawn once";
  EXPECT_NE(inputs_of(draw(7).launch(0, kCpus)), inputs_of(draw(7, 1).launch(0, kCpus))) << "of two shapes";
}

TEST_F(TimedInputsOfAProduct, AreReplayedByTheSeed) {
  TimedDraw first = draw(7), second = draw(7);
  second.launch(0, kCpus);  // what was drawn before makes no difference
  EXPECT_EQ(inputs_of(first.launch(3, kCpus)), inputs_of(second.launch(3, kCpus)));
  EXPECT_NE(inputs_of(draw(8).launch(3, kCpus)), inputs_of(second.launch(3, kCpus)));
}

TEST_F(TimedInputsOfAProduct, AreTheSameWhenTheyAreDrawnAhead) {
  const std::size_t bytes = (24 * 50 + 50 * 24) * sizeof(float) * (kPairs + kProbes);  // of a launch
  for (const auto& [most, launches] : {std::pair{std::size_t{0}, 0u}, {bytes - 1, 0}, {bytes, 1}, {3 * bytes - 1, 2}, {9 * bytes, 3}}) {
    TimedDraw plain = draw(7), ahead = draw(7);
    EXPECT_EQ(plain.calls(), plain.launch(0, kCpus).calls.size());
    EXPECT_EQ(ahead.draw_ahead(3, most, kCpus), launches);
    for (const std::size_t launch : {1, 0, 2, 4, 1}) {
      const LaunchInputs expected = plain.launch(launch, kCpus);
      EXPECT_EQ(inputs_of(ahead.launch(launch, kCpus)), inputs_of(expected)) << launch;
      EXPECT_EQ(classes_of(ahead.launch(launch, kCpus)), classes_of(expected));
      EXPECT_EQ(ahead.launch(launch, kCpus).pairs, expected.pairs);
    }
  }
}

TEST_F(TimedInputsOfAProduct, HaveEveryClassWithinFourLaunchesOfAnySeed) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    TimedDraw drawn = draw(seed);
    std::set<std::string> classes;
    for (std::size_t launch = 0; launch < 4; ++launch) classes.merge(classes_of(drawn.launch(launch, kCpus)));
    EXPECT_EQ(classes, (std::set<std::string>{"mixed", "special", "log_uniform", "largest", "wide", "offset", "exact", "exact_products"}));
  }
}

TEST_F(TimedInputsOfAProduct, HideTheirProbesAmongThePairs) {
  std::map<std::size_t, int> places;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    TimedDraw drawn = draw(seed);
    const std::vector<bool>& probes = drawn.launch(0, kCpus).probes;
    ASSERT_EQ(probes.size(), static_cast<std::size_t>(kWarmups + kPairs + kProbes));
    for (std::size_t i = 0; i < probes.size(); ++i) places[i] += probes[i];
    EXPECT_EQ(std::ranges::count(probes, true), kProbes);
  }
  EXPECT_EQ(places[0] + places[1], 0) << "warm-ups do not count anyway";
  EXPECT_EQ(places[kWarmups + kPairs + kProbes - 1], 0) << "a pair comes after every probe";
  for (std::size_t i = kWarmups; i < kWarmups + kPairs + kProbes - 1; ++i) {
    EXPECT_GT(places[i], 0) << "place " << i;
    EXPECT_LT(places[i], 20) << "place " << i << ": one of 17, for 120 probes";
  }
}

TEST_F(TimedInputsOfAProduct, AreMetByHonestKernels) {
  TimedDraw drawn = draw(3);
  for (std::size_t launch = 0; launch < 4; ++launch) {
    const LaunchInputs& inputs = drawn.launch(launch, kCpus);
    for (std::size_t call = 0; call < inputs.calls.size(); ++call) {
      const auto witness = evaluate_honestly(task_, inputs.calls[call], SumOrder::natural);
      for (const SumOrder order : {SumOrder::natural, SumOrder::strided, SumOrder::blocked}) {
        const auto judged = judged_call(drawn, launch, call, evaluate_honestly(task_, inputs.calls[call], order), witness);
        EXPECT_TRUE(judged.outputs.accepted) << judged.outputs.detail;
        EXPECT_TRUE(judged.witness.accepted) << judged.witness.detail;
      }
    }
  }
}

TEST_F(TimedInputsOfAProduct, HaveOrdinaryProbesWhereNoIntegersFit) {
  constexpr std::size_t kNoneAsSmall = 1000;
  for (ExactCase& exact : cases_.timing.front().exact) exact.first_draw = kNoneAsSmall;
  TimedDraw drawn = draw(3);
  std::size_t ordinary = 0;
  for (std::size_t launch = 0; launch < 4; ++launch) {
    const LaunchInputs& inputs = drawn.launch(launch, kCpus);
    EXPECT_EQ(std::ranges::count(inputs.probes, true), kProbes);
    for (std::size_t call = 0; call < inputs.calls.size(); ++call) {
      if (!inputs.probes[call] || inputs.calls[call].name.find(", ") != std::string::npos) continue;
      ++ordinary;
      const auto judged = judged_call(drawn, launch, call, evaluate_honestly(task_, inputs.calls[call], SumOrder::blocked), {});
      EXPECT_TRUE(judged.outputs.accepted) << judged.outputs.detail;
    }
  }
  EXPECT_EQ(ordinary, 2u) << "exact, exact_products";
}

TEST_F(TimedInputsOfAProduct, AreMissedByWrongOnes) {
  TimedDraw drawn = draw(3);
  const LaunchInputs& inputs = drawn.launch(0, kCpus);
  for (std::size_t call = 0; call < inputs.calls.size(); ++call) {
    if (inputs.probes[call]) continue;
    const auto right = evaluate_honestly(task_, inputs.calls[call], SumOrder::natural);
    auto wrong = right;
    float last = 0;
    std::memcpy(&last, wrong[0].data() + wrong[0].size() - sizeof last, sizeof last);
    last += 0.01F;
    std::memcpy(wrong[0].data() + wrong[0].size() - sizeof last, &last, sizeof last);
    EXPECT_FALSE(judged_call(drawn, 0, call, wrong, right).outputs.accepted) << call;
    EXPECT_TRUE(judged_call(drawn, 0, call, right, wrong).outputs.accepted) << "a wrong witness decides nothing";
    EXPECT_FALSE(judged_call(drawn, 0, call, right, wrong).witness.accepted) << call;
  }
}

TEST_F(TimedInputsOfAProduct, AreJudgedByTheOracleInProbesAndOneCallOfTheFirstLaunch) {
  const auto wrong_and_believed = [this](std::uint64_t seed, std::size_t launch) {
    TimedDraw drawn = draw(seed);
    const LaunchInputs& inputs = drawn.launch(launch, kCpus);
    int count = 0;
    for (std::size_t call = 0; call < inputs.calls.size(); ++call) {
      std::vector<Bytes> zeros{Bytes(inputs.calls[call].outputs.front().bytes(), std::byte{0})};
      const bool believed =
          judged_call(drawn, launch, call, zeros, zeros).outputs.accepted;  // witness and candidate agree on what is wrong
      const bool overflows = inputs.calls[call].name.ends_with("largest");  // there is nothing to hold against a number
      EXPECT_FALSE(believed && inputs.probes[call] && !overflows) << inputs.calls[call].name;
      count += believed && !inputs.probes[call];
    }
    return count;
  };
  int in_first = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    in_first += wrong_and_believed(seed, 0);
    EXPECT_EQ(wrong_and_believed(seed, 1), kWarmups + kPairs);
  }
  EXPECT_GE(in_first, 5 * (kWarmups + kPairs - 1));
  EXPECT_LT(in_first, 5 * (kWarmups + kPairs));
}

TEST_F(TimedInputsOfAProduct, AreDueUntilTheyAreJudgedInTheirOrder) {
  TimedDraw drawn = draw(3);
  std::vector<std::string> probes;
  for (std::size_t launch = 1; launch < 4; ++launch) {
    const LaunchInputs& inputs = drawn.launch(launch, kCpus);
    std::vector<CallOutputs> given;
    for (const PreparedCase& call : inputs.calls) {
      const auto right = evaluate_honestly(task_, call, SumOrder::natural);
      given.push_back({right, right});
    }
    for (std::size_t call = 0; call < inputs.calls.size(); ++call) {
      if (!inputs.probes[call]) continue;
      probes.push_back(inputs.calls[call].name);
      if (launch == 2) given[call].candidate.front().assign(given[call].candidate.front().size(), std::byte{0x55});
    }
    drawn.take(std::move(given), kCpus);
  }
  const std::size_t call_bytes = 4 * (2 * 24 * 50 + 2 * 24 * 24);
  EXPECT_EQ(drawn.due_bytes(), probes.size() * call_bytes);
  const std::vector<TimedDraw::Judged> judged = drawn.judge_due(kCpus);
  ASSERT_EQ(judged.size(), probes.size());
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const bool wrong = i / kProbes == 1 && !probes[i].ends_with("largest");  // where nothing is held against a number
    EXPECT_EQ(judged[i].outputs.accepted, !wrong) << probes[i];
    EXPECT_EQ(judged[i].outputs.detail.starts_with(probes[i] + ":"), wrong) << judged[i].outputs.detail;
  }
  EXPECT_EQ(drawn.due_bytes(), 0u);
  EXPECT_EQ(drawn.due_calls(), 0u);
  EXPECT_TRUE(drawn.judge_due(kCpus).empty());
}

TEST_F(TimedInputsOfAProduct, AreDrawnAnewWhereTheyAreDueToBeJudged) {
  TimedDraw drawn = draw(3);
  const LaunchInputs& inputs = drawn.launch(1, kCpus);
  const auto first = inputs_of(inputs);
  std::vector<CallOutputs> given;
  for (const PreparedCase& call : inputs.calls) given.push_back({evaluate_honestly(task_, call, SumOrder::natural), {}});
  drawn.take(std::move(given), kCpus);
  EXPECT_EQ(drawn.due_calls(), first.size());
  EXPECT_EQ(inputs_of(drawn.launch(1, kCpus)), first);
  for (const TimedDraw::Judged& each : drawn.judge_due(kCpus)) EXPECT_TRUE(each.outputs.accepted) << each.outputs.detail;
}

TEST_F(TimedInputsOfAProduct, HaveProbesInWhichNobodyLooksAtTheWitness) {
  TimedDraw drawn = draw(3);
  for (std::size_t launch = 0; launch < 4; ++launch) {
    const LaunchInputs& inputs = drawn.launch(launch, kCpus);
    for (std::size_t call = 0; call < inputs.calls.size(); ++call) {
      if (!inputs.probes[call]) continue;
      const auto right = evaluate_honestly(task_, inputs.calls[call], SumOrder::natural);
      const auto judged = judged_call(drawn, launch, call, right, {Bytes(right.front().size(), std::byte{0})});
      EXPECT_TRUE(judged.outputs.accepted) << judged.outputs.detail;
      EXPECT_TRUE(judged.witness.accepted) << judged.witness.detail;
    }
  }
}

/// Kinds of the inputs of the probe, "x: special w: special"; empty where there is no such probe.
std::string kinds_of_probe(const std::string& name, const std::string& more) {
  const spec::Task task = written_task("(float[N, K] x, float[K, N] w) => (float[N, N] y) { y = MatMul(x, w) }", kTimedDims + more);
  std::string kinds;
  for (const spec::Case& probe : spec::probes(task))
    if (probe.name == name)
      for (const auto& [input, init] : probe.inputs) kinds += fmt::format("{}: {} ", input, init.kind);
  return kinds;
}

TEST(TimedInputs, OfAProbeAreThoseOfTheTasksCase) {
  EXPECT_EQ(kinds_of_probe("special", ""), "w: special x: special ");
  EXPECT_EQ(kinds_of_probe("special", "cases: [{name: special, inputs: {x: {init: ties}}, why: one}]\n"), "x: ties ");
  EXPECT_EQ(kinds_of_probe("largest", "cases: [{name: special, inputs: {x: {init: ties}}, why: one}]\n"), "w: large x: large ");
  EXPECT_EQ(kinds_of_probe("special", "replace_cases: why\ncases: [{name: own, dims: {N: 3, K: 4}}]\n"), "");
  EXPECT_EQ(kinds_of_probe("wide", "replace_cases: why\ncases: [{name: own, dims: {N: 3, K: 4}}]\n"), "w: normal x: normal ");
}

/// The float32 outputs, each multiplied.
std::vector<Bytes> times(std::vector<Bytes> outputs, float factor) {
  for (Bytes& output : outputs)
    for (std::size_t at = 0; at < output.size(); at += sizeof(float)) {
      float number = 0;
      std::memcpy(&number, output.data() + at, sizeof number);
      number *= factor;
      std::memcpy(output.data() + at, &number, sizeof number);
    }
  return outputs;
}

TEST_F(TimedInputsOfAProduct, HaveTheBoundsOfTheirValues) {
  cases_.timing.front().layout.outputs.front().max_bound = 1e9 + 0.5, cases_.timing.front().layout.outputs.front().rms_bound = 1e9;
  for (auto& [name, bounds] : cases_.timing.front().probes) bounds = {{1e10, 1e10}};
  TimedDraw drawn = draw(3);
  for (std::size_t launch = 0; launch < 4; ++launch) {
    const LaunchInputs& inputs = drawn.launch(launch, kCpus);
    for (std::size_t call = 0; call < inputs.calls.size(); ++call) {
      const std::string& name = inputs.calls[call].name;
      if (name.ends_with("exact") || name.ends_with("exact_products") || name.ends_with("largest")) continue;
      const auto right = evaluate_honestly(task_, inputs.calls[call], SumOrder::natural);
      const auto judged = judged_call(drawn, launch, call, times(right, 1.01F), {});
      EXPECT_TRUE(judged.outputs.accepted) << judged.outputs.detail;
      EXPECT_EQ(judged.outputs.bound, inputs.probes[call] ? 1e10 : 1e9 + 0.5);
    }
  }
}

TEST_F(TimedInputsOfAProduct, AreHeldToTheMeanOfTheirErrors) {
  cases_.timing.front().layout.outputs.front().max_bound = 1e300, cases_.timing.front().layout.outputs.front().rms_bound = 1e9;
  TimedDraw drawn = draw(3);
  const LaunchInputs& inputs = drawn.launch(1, kCpus);
  const std::size_t ordinary = static_cast<std::size_t>(std::ranges::find(inputs.probes, false) - inputs.probes.begin());
  const auto right = evaluate_honestly(task_, inputs.calls[ordinary], SumOrder::natural);
  EXPECT_TRUE(judged_call(drawn, 1, ordinary, times(right, 1.01F), {}).outputs.accepted);
  EXPECT_FALSE(judged_call(drawn, 1, ordinary, times(right, 1e12F), {}).outputs.accepted);
}

TEST_F(TimedInputsOfAProduct, AreNearByTheWitness) {
  cases_.timing.front().near = {{spec::ElementType::f32, 0, 1, 0.3 * 0x1p24, 0x1p60, 0}};  // 30 % of the witness's
  TimedDraw drawn = draw(3);
  const LaunchInputs& inputs = drawn.launch(1, kCpus);
  const std::size_t ordinary = static_cast<std::size_t>(std::ranges::find(inputs.probes, false) - inputs.probes.begin());
  const auto right = evaluate_honestly(task_, inputs.calls[ordinary], SumOrder::natural), more = times(right, 1.35F);
  EXPECT_FALSE(judged_call(drawn, 1, ordinary, more, right).outputs.accepted);
  EXPECT_TRUE(judged_call(drawn, 1, ordinary, right, more).witness.accepted) << "near, so that nobody looks";
}

TEST_F(TimedInputsOfAProduct, OfLaterLaunchesAreDueInProbesAlone) {
  TimedDraw drawn = draw(3);
  std::size_t due = 0;
  for (std::size_t launch = 0; launch < 3; ++launch) {
    const LaunchInputs& inputs = drawn.launch(launch, kCpus);
    EXPECT_EQ(inputs.pairs, static_cast<std::size_t>(kPairs));
    std::vector<CallOutputs> given;
    for (const PreparedCase& call : inputs.calls) {
      const auto right = evaluate_honestly(task_, call, SumOrder::natural);
      given.push_back({right, right});
    }
    drawn.take(std::move(given), kCpus);
    due += kProbes + (launch == 0 ? 1 : 0);
    EXPECT_EQ(drawn.due_calls(), due) << launch;
  }
}

TEST_F(TimedInputsOfAProduct, HaveEveryClassOnceInARoundAndInAnotherOrderInTheNext) {
  constexpr std::size_t kClasses = 6;  // beside those on integers
  for (auto& exact = cases_.timing.front().exact;; exact.pop_back()) {
    const std::size_t kinds = kClasses + exact.size();
    std::set<std::vector<std::set<std::string>>> rounds;
    TimedDraw drawn = draw(3);
    for (std::size_t round = 0; round < 4; ++round) {
      std::vector<std::set<std::string>> of_launches((kinds + 1) / kProbes);
      std::set<std::string> all;
      for (std::size_t i = 0; i < of_launches.size(); ++i) {
        of_launches[i] = classes_of(drawn.launch(of_launches.size() * round + i, kCpus));
        all.merge(std::set(of_launches[i]));
      }
      EXPECT_EQ(all.size(), kinds);
      rounds.insert(of_launches);
    }
    EXPECT_EQ(rounds.size(), 4u) << kinds;
    if (exact.empty()) break;
  }
}

TEST_F(TimedInputsOfAProduct, HaveWarmUpsInWhichTheWitnessIsJudgedWhateverFollows) {
  TimedDraw drawn = draw(3);
  std::size_t launch = 0;
  while (!drawn.launch(launch, kCpus).probes[kWarmups]) ++launch;
  const std::size_t last = kWarmups - 1;
  const auto right = evaluate_honestly(task_, drawn.launch(launch, kCpus).calls[last], SumOrder::natural);
  EXPECT_FALSE(judged_call(drawn, launch, last, right, times(right, 2)).witness.accepted);
}

TEST(TimedInputs, MayBeReplaced) {
  const spec::Task task = written_task("(float[N] x) => (float[N] y) { y = Relu(x) }",
                                       "in_place: {y: x}\ndims: {N: [1, 20]}\ntiming: {cpu: {dims: {N: 24}}}\n");
  const CaseFile timing = prepare_timing(task, 1);
  EXPECT_EQ(TimedDraw(task, timing.timing.front(), 0, 1, kPairs, "").layout().outputs.at(0).in_place, 0u);
}

TEST(TimedInputs, WhoseOutputsAreSizedByValuesAreJudgedInEachCall) {
  const spec::Task task = written_task("(float[N] x) => (int64[R, M] y) { y = NonZero(x) }",
                                       "dims: {N: [1, 20]}\ntiming: {cpu: {dims: {N: 24}}}\ninputs: {x: {init: bernoulli}}\n");
  const CaseFile timing = prepare_timing(task, 1);
  TimedDraw drawn(task, timing.timing.front(), 0, 1, kPairs, "");
  const LaunchInputs& inputs = drawn.launch(1, kCpus);
  for (std::size_t call = 0; call < inputs.calls.size(); ++call) {
    const auto right = evaluate_honestly(task, inputs.calls[call], SumOrder::natural);
    EXPECT_TRUE(judged_call(drawn, 1, call, right, right).outputs.accepted) << call;
    auto wrong = right;
    if (wrong.front().empty()) continue;
    wrong.front().front() ^= std::byte{1};
    EXPECT_FALSE(judged_call(drawn, 1, call, wrong, wrong).outputs.accepted) << call;
  }
}

TEST_F(TimedInputsOfAProduct, HaveTheLayoutOfTheFixturesDraw) {
  const TimedDraw drawn = draw(7);
  const PreparedCase& layout = drawn.layout();
  EXPECT_EQ(layout.inputs.at(0).size(), 24u * 50 * sizeof(float));
  EXPECT_EQ(layout.inputs.at(1).size(), 50u * 24 * sizeof(float));
  EXPECT_EQ(layout.outputs.at(0).shape, (spec::Shape{24, 24}));
  EXPECT_EQ(layout.flops, 2 * 24 * 24 * 50);
}

TEST_F(TimedInputsOfAProduct, OfAnotherModelAreRefused) {
  const auto refuses = [&](const std::function<void(ExpectedTensor&)>& change) {
    CaseFile other = cases_;
    change(other.timing.front().layout.outputs.front());
    EXPECT_THROW(TimedDraw(task_, other.timing.front(), 0, 7, kPairs, ""), std::runtime_error);
  };
  refuses([](ExpectedTensor& output) { output.name = "z"; });
  refuses([](ExpectedTensor& output) { output.type = spec::ElementType::f64; });
  refuses([](ExpectedTensor& output) { output.in_place = 2; });
}

TEST(TimedInputs, OfAProfileAreItsOwnAlone) {
  const spec::Task task = written_task("(float[N, K] x) => (float[N, K] y) { y = Relu(x) }", kTimedDims);
  const CaseFile timing = prepare_timing(task, find_profile("kernelbench"), 1);
  TimedDraw drawn(task, timing.timing.front(), 0, 1, kPairs, "kernelbench");
  EXPECT_TRUE(std::ranges::none_of(drawn.launch(0, kCpus).probes, std::identity{}));
  const LaunchInputs& launch = drawn.launch(0, kCpus);
  EXPECT_EQ(launch.calls.size(), static_cast<std::size_t>(kWarmups + kPairs)) << "no probe, no gap";
  const std::vector<Bytes> wrong{Bytes(launch.calls[5].outputs.front().bytes(), std::byte{0x41})};
  EXPECT_FALSE(judged_call(drawn, 1, 5, wrong, wrong).outputs.accepted) << "a witness is of no use by other rules";
}

}  // namespace
}  // namespace assay::cases
