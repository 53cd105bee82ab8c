// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <utility>

#include "fake_launch.h"
#include "temporary_folder.h"

namespace assay::timing {
namespace {

using namespace std::chrono_literals;
using cases::kProbes, cases::kWarmups;
using record::Verdict;
using testing::Each, testing::ElementsAre, testing::HasSubstr, testing::SizeIs, testing::ThrowsMessage;

constexpr std::size_t kCounted = kCalls - kWarmups;

class BatchedTiming : public FakeLaunch {
 protected:
  BatchedTiming() {
    setting_.candidate.transfers = true;
    scene_.batches = {{"candidate", 32}};
  }
  void both_batch() {
    setting_.baseline.transfers = true;
    scene_.batches["baseline"] = 32;
  }
  /// "candidate" or "baseline": who has the first event of this kind.
  std::string first_to(const std::string& what) const {
    for (const std::string& event : scene_.events)
      if (event.ends_with(" " + what)) return event.substr(0, event.find(' '));
    return "";
  }
};

void append(Events& events, const std::string& who, std::initializer_list<std::string> what) {
  for (const std::string& each : what) events.push_back(who + " " + each);
}

void stow(Events& events, const std::string& who, std::size_t sets) {
  for (std::size_t set = 0; set < sets; ++set) append(events, who, {"layout", "poison", fmt::format("stow {}", set)});
}

void batch(Events& events, const std::string& who) { append(events, who, {"empty batch", "empty batch", "batch", "empty batch"}); }

void fetch(Events& events, const std::string& who, std::size_t sets) {
  for (std::size_t set = 0; set < sets; ++set) append(events, who, {"layout", fmt::format("fetch {}", set)});
}

TEST_F(BatchedTiming, MakesOneBatchOfAllCallsOfEitherSide) {
  both_batch();
  std::set<std::string> firsts;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    scene_.events.clear();
    launch(seed);
    const std::string first = first_to("stow 0");
    Events expected = {"candidate open", "baseline open"};
    for (const std::size_t calls : {std::size_t{kWarmups}, kCounted}) {
      stow(expected, first, calls), stow(expected, other(first), calls);
      batch(expected, first), batch(expected, other(first));
      fetch(expected, first, calls), fetch(expected, other(first), calls);
    }
    append(expected, "candidate", {"close"}), append(expected, "baseline", {"close"});
    EXPECT_EQ(scene_.events, expected);
    firsts.insert(first);
  }
  EXPECT_THAT(firsts, SizeIs(2));
  EXPECT_THAT(scene_.begins, testing::IsEmpty()) << "nobody is called on a processor";
}

TEST_F(BatchedTiming, CallsABaselineOnTheProcessorOneByOne) {
  std::set<std::string> firsts;
  bool idle_is_there = false;
  for (const bool cold : {false, true}) {
    setting_.cold = cold;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      scene_.events.clear();
      launch(seed);
      const std::string first = first_to("poison");
      Events expected = {"candidate open", "baseline open"};
      if (!std::exchange(idle_is_there, true)) append(expected, "idle", {"open"});
      for (const std::size_t calls : {std::size_t{kWarmups}, kCounted})
        for (const std::string& who : {first, other(first)}) {
          if (who == "candidate") {
            stow(expected, who, calls), batch(expected, who), fetch(expected, who, calls);
            continue;
          }
          for (std::size_t call = 0; call < calls; ++call) {
            append(expected, who, {"layout", "poison"});
            append(expected, "idle", {"empty", "empty"});
            if (cold) append(expected, who, {"flush i0o0"});
            append(expected, who, {"kernel"});
          }
        }
      append(expected, "candidate", {"close"}), append(expected, "baseline", {"close"});
      EXPECT_EQ(scene_.events, expected);
      firsts.insert(first);
    }
  }
  EXPECT_THAT(firsts, SizeIs(2));
}

TEST_F(BatchedTiming, IsFairToBoth) {
  both_batch();
  expect_fair(1, [this] { return first_to("stow 0") == "candidate"; });
}

TEST_F(BatchedTiming, BeginsTheBaselinesCallsOnOneProcessorOfTheBoxes) {
  setting_.processors = sandbox::processors();
  std::set<int> begun;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    scene_.begins.clear();
    launch(seed);
    ASSERT_THAT(scene_.begins, SizeIs(2));
    EXPECT_EQ(scene_.begins[0].first, "baseline");
    EXPECT_EQ(scene_.begins[1].first, "idle");
    EXPECT_EQ(scene_.begins[0].second, scene_.begins[1].second);
    begun.insert(scene_.begins[0].second);
  }
  EXPECT_EQ(begun, std::set<int>(setting_.processors.boxes.begin(), setting_.processors.boxes.end()));
  scene_.begins.clear();
  setting_.processors.boxes = {300};
  launch();
  EXPECT_EQ(scene_.begins.at(0).second, 300) << "its number, whatever it is";
}

TEST_F(BatchedTiming, KeepsToTheFewestSetsOfEitherSide) {
  both_batch();
  for (const auto& [candidate, baseline] : {std::pair{3, 32}, {32, 3}, {3, 4}}) {
    scene_.events.clear();
    scene_.batches = {{"candidate", candidate}, {"baseline", baseline}};
    launch();
    static_assert(kWarmups == 2 && kCounted == 6);
    for (const char* who : {"candidate", "baseline"}) {
      EXPECT_EQ(scene_.count(std::string(who) + " batch"), 1 + 2);
      EXPECT_EQ(scene_.count(std::string(who) + " stow 2"), 2);
      EXPECT_EQ(scene_.count(std::string(who) + " stow 3"), 0);
    }
  }
  scene_.events.clear();
  scene_.batches = {{"candidate", 1}, {"baseline", 1}};
  launch();
  EXPECT_EQ(scene_.count("candidate batch"), static_cast<std::ptrdiff_t>(kCalls));
  EXPECT_THAT(scene_.begins, testing::IsEmpty());
}

TEST_F(BatchedTiming, PoisonsEachSetInItsOwnWay) {
  launch();
  EXPECT_THAT(scene_.patterns, SizeIs(2 * kCalls));
}

TEST_F(BatchedTiming, GivesTheDevicesTimesOfPairs) {
  scene_.takes = {{"baseline kernel", 30us}, {"idle empty", 2us}};
  scene_.device_takes = {{"candidate kernel", 7us}, {"candidate nothing", 1us}};
  const LaunchTimes times = launch();
  ASSERT_THAT(times.pairs, SizeIs(kPairs));
  for (const PairTime& pair : times.pairs) {
    EXPECT_DOUBLE_EQ(pair.candidate, 7e-6) << "the events' own time is not taken off";
    EXPECT_DOUBLE_EQ(pair.baseline, 28e-6);
  }
  EXPECT_THAT(times.device, testing::AllOf(SizeIs(kPairs), Each(7e-6)));
  EXPECT_DOUBLE_EQ(times.overhead, 1e-6);
  scene_.takes["idle empty"] = 30us;
  for (const PairTime& pair : launch().pairs) EXPECT_DOUBLE_EQ(pair.baseline, 1e-9);
}

TEST_F(BatchedTiming, TakesNothingOffTimesOfTwoDevices) {
  both_batch();
  scene_.device_takes = {{"candidate kernel", 7us}, {"candidate nothing", 1us}, {"baseline kernel", 9us}, {"baseline nothing", 3us}};
  const LaunchTimes times = launch();
  ASSERT_THAT(times.pairs, SizeIs(kPairs));
  for (const PairTime& pair : times.pairs) {
    EXPECT_DOUBLE_EQ(pair.candidate, 7e-6);
    EXPECT_DOUBLE_EQ(pair.baseline, 9e-6);
  }
  EXPECT_DOUBLE_EQ(times.overhead, 1e-6) << "the candidate's";
}

TEST_F(BatchedTiming, LeavesOutProbes) {
  both_batch();
  scene_.batches = {{"candidate", 1}, {"baseline", 1}};
  const cases::LaunchInputs& inputs = draw_.launch(0, {0});
  scene_.watch = [&](FakeBox& box, const std::string& begins) {
    if (!begins.ends_with(" batch") || begins.ends_with("empty batch")) return;
    const auto call = static_cast<std::size_t>(scene_.count(begins));
    scene_.device_takes[box.who() + " kernel"] = call < kWarmups || inputs.probes[call] ? 1s : 5us;
  };
  const LaunchTimes times = launch();
  ASSERT_THAT(times.pairs, SizeIs(kPairs));
  for (const PairTime& pair : times.pairs) {
    EXPECT_DOUBLE_EQ(pair.candidate, 5e-6);
    EXPECT_DOUBLE_EQ(pair.baseline, 5e-6);
  }
}

TEST_F(BatchedTiming, KnowsWhichCallOfTheProcessorIsOfWhichPair) {
  const cases::LaunchInputs& inputs = draw_.launch(0, {0});
  scene_.watch = [&](FakeBox&, const std::string& begins) {
    if (begins == "baseline kernel") scene_.takes[begins] = std::chrono::microseconds(10 + scene_.count(begins));
  };
  std::vector<double> expected, got;
  for (std::size_t call = kWarmups; call < kCalls; ++call)
    if (!inputs.probes[call]) expected.push_back(1e-6 * static_cast<double>(9 + call));
  for (const PairTime& pair : launch().pairs) got.push_back(pair.baseline);
  EXPECT_THAT(got, testing::Pointwise(testing::DoubleNear(1e-12), expected));
}

TEST_F(BatchedTiming, WaitsTwiceAsLongAsACallOfTheProcessorMayTake) {
  setting_.baseline.call_limit = 4s;
  std::set<std::chrono::milliseconds> limits;
  scene_.watch = [&](FakeBox& box, const std::string& begins) {
    if (begins == "baseline close") limits.insert(box.limits().begin(), box.limits().end());
  };
  launch();
  EXPECT_THAT(limits, ElementsAre(8s));
}

TEST_F(BatchedTiming, SaysWhatTheJudgesClockSaysOfTheCandidatesBatches) {
  both_batch();
  scene_.batches["candidate"] = 3;  // two batches after the warm-ups
  scene_.takes = {{"candidate batch", 500us}, {"baseline batch", 900us}, {"baseline empty batch", 300us}};
  scene_.device_takes = {{"candidate kernel", 7us}, {"baseline kernel", 9us}};
  scene_.watch = [&](FakeBox&, const std::string& begins) {
    if (begins != "candidate empty batch") return;
    const std::ptrdiff_t which = scene_.count(begins) % 3;  // the first does not count; one before the batch, one after it
    scene_.takes[begins] = scene_.count(begins) < 3 ? 1s : which == 0 ? 1s : which == 1 ? 100us : 60us;
  };
  const Clocks clocks = launch().clocks;
  EXPECT_EQ(clocks.calls, kCounted);
  EXPECT_DOUBLE_EQ(clocks.judge, 2 * (500e-6 - 80e-6));
  EXPECT_DOUBLE_EQ(clocks.device, kCounted * 7e-6);
  EXPECT_DOUBLE_EQ(clocks.unsure, 2 * 40e-6);
}

TEST_F(BatchedTiming, ReadsTheDevicesStateBeforeAndAfterTheCandidatesBatches) {
  both_batch();
  int reads = 0;
  Events at;
  setting_.read_device = [&]() -> std::optional<record::DeviceState> {
    at.push_back(scene_.events.back());
    if (++reads > 3) return {};
    return record::DeviceState{static_cast<double>(reads), 0, 0, 0, {}};
  };
  const LaunchTimes times = launch();
  EXPECT_THAT(at, ElementsAre("candidate empty batch", "candidate batch", "candidate empty batch", "candidate batch"));
  ASSERT_THAT(times.states, SizeIs(1)) << "not of warm-ups, nor where nothing is known";
  EXPECT_EQ(times.states[0].sm_mhz, 3);
}

TEST_F(BatchedTiming, HasTheDeviceAloneWhileItIsTimed) {
  both_batch();
  const TemporaryFolder folder;
  record::Device device;
  device.kind = "gpu";
  setting_.turns = DeviceTurns(folder / "machine.json", device);
  std::map<std::string, std::set<std::string>> held_at;
  scene_.watch = [&](FakeBox&, const std::string& begins) {
    const bool timed = scene_.count("candidate batch") + scene_.count("baseline batch") >= 2;
    held_at[begins + (timed ? " timed" : "")].insert(held(folder.path()));
  };
  launch();
  using Held = std::set<std::string>;
  for (const std::string who : {"candidate", "baseline"}) {
    EXPECT_EQ(held_at[who + " open"], Held{"shared"});
    EXPECT_EQ(held_at[who + " batch timed"], Held{"alone"});
    EXPECT_EQ(held_at[who + " stow 0"], Held{"shared"});
    EXPECT_EQ(held_at[who + " fetch 0 timed"], Held{"shared"});
    EXPECT_EQ(held_at[who + " poison"], Held{"free"}) << "inputs are written while others go on";
    EXPECT_EQ(held_at[who + " close timed"], Held{"shared"}) << "a driver that ends a process holds others up";
  }
  EXPECT_EQ(held_at["candidate batch"], Held{"shared"}) << "a warm-up";
}

TEST_F(BatchedTiming, WaitsAsLongAsTheSlowestCallSuggests) {
  both_batch();
  setting_.candidate.call_limit = 3s;
  scene_.device_takes = {{"candidate kernel", 1234567us}};
  std::vector<std::chrono::milliseconds> limits;
  scene_.watch = [&](FakeBox& box, const std::string& begins) {
    if (begins == "candidate close") limits = box.limits();
  };
  launch();
  ASSERT_THAT(limits, SizeIs(8));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(limits[i], 6s) << "nothing is known yet";
  for (int i = 4; i < 8; ++i) EXPECT_EQ(limits[i], 6s + 29629ms) << "twice two calls' limit, and four times what the warm-ups took";
}

TEST_F(BatchedTiming, ChecksEveryOutputOfTheCandidate) {
  scene_.batches["candidate"] = 1;
  for (std::size_t call = 0; call < kCalls; ++call) {
    scene_.events.clear();
    const trial::Failure failure =
        failure_of([&] { launch_where("candidate batch", static_cast<std::ptrdiff_t>(call), [](FakeBox& box) { box.err_by(3); }); });
    EXPECT_EQ(failure.verdict, Verdict::wrong_result) << call;
    EXPECT_THAT(failure.detail, testing::StartsWith("timed call: "));
  }
}

TEST_F(BatchedTiming, FindsAWrongBaseline) {
  const auto wrong_from = [&](const std::string& event, std::ptrdiff_t call) {
    scene_.events.clear();
    launch_where(event, call, [](FakeBox& box) { box.err_by(3); });
  };
  EXPECT_THAT([&] { wrong_from("baseline kernel", kCalls - 1); }, ThrowsMessage<std::runtime_error>(HasSubstr("baseline: timed call: ")));
  setting_.is_witness = false;
  EXPECT_NO_THROW(wrong_from("baseline kernel", 0));
  both_batch();
  EXPECT_NO_THROW(wrong_from("baseline batch", 0));
  EXPECT_EQ(failure_of([&] { wrong_from("candidate batch", 1); }).verdict, Verdict::wrong_result) << "the oracle looks at all of them";
  setting_.is_witness = true;
  EXPECT_THAT([&] { wrong_from("baseline batch", 1); }, ThrowsMessage<std::runtime_error>(HasSubstr("baseline: timed call: ")));
}

TEST_F(BatchedTiming, BringsTheResultsOfAProcessorBackWhereTheyAreLookedAt) {
  setting_.baseline.transfers = true;
  launch();
  EXPECT_EQ(scene_.count("baseline upload"), static_cast<std::ptrdiff_t>(kCalls));
  EXPECT_EQ(scene_.count("baseline download"), static_cast<std::ptrdiff_t>(kCalls));
  scene_.events.clear();
  setting_.is_witness = false;
  launch();
  EXPECT_EQ(scene_.count("baseline upload"), static_cast<std::ptrdiff_t>(kCalls));
  EXPECT_EQ(scene_.count("baseline download"), kWarmups) << "what it gives has the right shapes";
}

TEST_F(BatchedTiming, TellsWhoseFailureItIs) {
  const auto crash = [](FakeBox& box) { box.refuse({Verdict::crash, "boom"}); };
  const auto silence = [](FakeBox& box) { box.fall_silent(); };
  for (const char* event :
       {"candidate open", "candidate layout", "candidate stow 1", "candidate empty batch", "candidate batch", "candidate fetch 5"}) {
    scene_.events.clear();
    const trial::Failure failure = failure_of([&] { launch_where(event, 0, crash); });
    EXPECT_EQ(failure.verdict, Verdict::crash) << event;
    EXPECT_EQ(failure.detail, "boom");
  }
  setting_.baseline.transfers = true;
  for (const char* event : {"baseline open", "baseline layout", "baseline upload", "baseline kernel", "baseline download", "idle empty"}) {
    scene_.events.clear();
    EXPECT_THAT([&] { launch_where(event, 0, crash); }, ThrowsMessage<std::runtime_error>("baseline: boom")) << event;
    setting_.idle = idle();
  }
  scene_.events.clear();
  EXPECT_THAT([&] { launch_where("baseline download", kCalls - 1, crash); }, ThrowsMessage<std::runtime_error>("baseline: boom"));
  scene_.events.clear();
  EXPECT_THAT([&] { launch_where("baseline kernel", 0, silence); },
              ThrowsMessage<std::runtime_error>("baseline: the box ended without a reason"));
  both_batch();
  for (const char* event : {"baseline stow 0", "baseline batch", "baseline fetch 5"}) {
    scene_.events.clear();
    EXPECT_THAT([&] { launch_where(event, 0, crash); }, ThrowsMessage<std::runtime_error>("baseline: boom")) << event;
  }
}

TEST_F(BatchedTiming, LooksAtFencesOfEachCall) {
  EXPECT_EQ(failure_of([&] { launch_where("candidate fetch 5", 0, [&](FakeBox&) { scene_.damaged = {"candidate"}; }); }).verdict,
            Verdict::out_of_bounds);
  scene_.damaged = {"baseline"};
  EXPECT_THAT([&] { launch(); }, ThrowsMessage<std::runtime_error>("baseline: a fence"));
  both_batch();
  EXPECT_THAT([&] { launch(); }, ThrowsMessage<std::runtime_error>("baseline: a fence"));
}

}  // namespace
}  // namespace assay::timing
