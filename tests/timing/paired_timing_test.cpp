// SPDX-License-Identifier: Apache-2.0
#include "assay/timing/paired_timing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>

#include "fake_launch.h"
#include "temporary_folder.h"

namespace assay::timing {
namespace {

using namespace std::chrono_literals;
using cases::kProbes, cases::kWarmups, cases::LaunchInputs, cases::PreparedCase, cases::TimedDraw;
using record::Verdict;
using testing::ElementsAre, testing::Each, testing::HasSubstr, testing::ThrowsMessage;
using trial::Box, trial::BoxProgram;

class PairedTiming : public FakeLaunch {
 protected:
  using FakeLaunch::FakeLaunch;

  /// "candidate" or "baseline", of each call: who was first.
  Events firsts() const {
    Events firsts;
    for (std::size_t i = 0, kernels = 0; i < scene_.events.size(); ++i)
      if (scene_.events[i].ends_with(" kernel") && kernels++ % 2 == 0)
        firsts.push_back(scene_.events[i].substr(0, scene_.events[i].find(' ')));
    return firsts;
  }
};

Events of(std::initializer_list<std::string> events) { return events; }

void append(Events& events, const Events& more) { events.insert(events.end(), more.begin(), more.end()); }

/// One pair on processors, `after` each box's kernel.
Events pair_of(const std::string& first, const Events& before_kernel = {}) {
  const std::string second = other(first);
  Events events = of({"idle empty", first + " layout", first + " poison", second + " layout", second + " poison"});
  for (const std::string& who : {first, second}) {
    append(events, of({"idle empty", "idle empty"}));
    for (const std::string& each : before_kernel) events.push_back(who + " " + each);
    events.push_back(who + " kernel");
  }
  return events;
}

TEST_F(PairedTiming, DoesToBothWhatIsDoneToOneAndNothingBetweenTheirCallsButWakesTheProcessor) {
  for (const bool cold : {false, true}) {
    scene_.events.clear();
    setting_.cold = cold;
    launch();
    const Events first = firsts();
    ASSERT_EQ(first.size(), kCalls);
    Events expected = of({first[0] + " open", other(first[0]) + " open"});
    if (!cold) expected.push_back("idle open");  // once for all launches
    for (const std::string& who : {first[0], other(first[0])}) append(expected, of({who + " layout", who + " poison", who + " empty"}));
    for (const std::string& each : first) append(expected, pair_of(each, cold ? of({"flush i0o0"}) : Events{}));
    append(expected, of({"candidate close", "baseline close"}));
    EXPECT_EQ(scene_.events, expected);
  }
}

TEST_F(PairedTiming, GivesLentProcessorsBackBeforeACandidateIsThere) {
  const TemporaryFolder folder;
  setting_.seat = std::make_shared<const Seat>(folder.path() / "machine.json", sandbox::Processors{.judge = 0, .boxes = {1, 2, 3}});
  EXPECT_EQ(Helpers(setting_).cpus().size(), 3u) << "its own one, and two";
  scene_.watch = [this](FakeBox&, const std::string& begins) { EXPECT_EQ(setting_.seat->free_ones().size(), 1u) << begins; };
  launch();
  EXPECT_FALSE(scene_.events.empty());
}

TEST_F(PairedTiming, ChangesWhoIsFirst) {
  std::set<std::string> opened, probed;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    scene_.events.clear();
    const std::size_t index = seed % 4;
    EXPECT_EQ(launch(seed, index).pairs.size(), static_cast<std::size_t>(kPairs));
    const Events first = firsts();
    ASSERT_EQ(first.size(), kCalls);
    EXPECT_NE(first[0], first[1]) << "of two warm-ups one is of either order";
    opened.insert(scene_.events.front());
    int ahead = 0;
    const LaunchInputs& inputs = draw_.launch(index, {0});
    for (std::size_t call = kWarmups; call < kCalls; ++call) {
      if (inputs.probes[call]) probed.insert(first[call]);
      else ahead += first[call] == "candidate";
    }
    EXPECT_EQ(ahead, kPairs / 2);
  }
  EXPECT_EQ(opened.size(), 2u);
  EXPECT_EQ(probed.size(), 2u);
}

TEST_F(PairedTiming, IsFairToBoth) {
  expect_fair(1, [this] { return scene_.events.front() == "candidate open"; });
  expect_fair(kProbes, [this] {
    const LaunchInputs& inputs = draw_.launch(0, {0});
    const Events first = firsts();
    std::ptrdiff_t ahead = 0;
    for (std::size_t call = kWarmups; call < kCalls; ++call) ahead += inputs.probes[call] && first.at(call) == "candidate";
    return ahead;
  });
}

TEST_F(PairedTiming, WaitsTwiceAsLongAsACallMayTake) {
  setting_.candidate.call_limit = 3s;
  setting_.baseline.call_limit = 4s;
  std::map<std::string, std::set<std::chrono::milliseconds>> limits;
  scene_.watch = [&](FakeBox& box, const std::string& begins) {
    if (begins.ends_with(" close")) limits[box.who()].insert(box.limits().begin(), box.limits().end());
  };
  launch();
  EXPECT_THAT(limits["candidate"], ElementsAre(6s));
  EXPECT_THAT(limits["baseline"], ElementsAre(8s));
}

TEST_F(PairedTiming, BeginsOnOneProcessorOfTheBoxes) {
  setting_.processors = sandbox::processors();
  const std::vector<int> boxes = setting_.processors.boxes;
  std::set<int> begun;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    scene_.begins.clear();
    launch(seed);
    ASSERT_EQ(scene_.begins.size(), 3u);
    std::set<std::string> who;
    for (const auto& [name, cpu] : scene_.begins) {
      who.insert(name);
      EXPECT_EQ(cpu, scene_.begins[0].second);
    }
    EXPECT_THAT(who, ElementsAre("baseline", "candidate", "idle"));
    begun.insert(scene_.begins[0].second);
  }
  EXPECT_TRUE(std::ranges::includes(boxes, begun));
  EXPECT_EQ(begun.size(), boxes.size());
  for (const BoxProgram& program : opened_) {
    EXPECT_EQ(program.cpus, boxes);
    EXPECT_TRUE(program.timing) << "they wait for calls by spinning";
  }
  scene_.begins.clear();
  setting_.processors.boxes = {300};
  launch();
  EXPECT_EQ(scene_.begins.at(0).second, 300) << "its number, whatever it is";
}

TEST_F(PairedTiming, PoisonsEachBoxOfEachCallInItsOwnWay) {
  launch();
  EXPECT_EQ(scene_.patterns.size(), 2 * kCalls + 1) << "and both with 0 where they are blank";
}

TEST_F(PairedTiming, GivesThePairsLessAnEmptyCall) {
  scene_.takes = {{"candidate kernel", 10us}, {"baseline kernel", 30us}, {"idle empty", 2us}};
  scene_.device_takes = {{"candidate kernel", 7us}};
  const LaunchTimes times = launch();
  ASSERT_EQ(times.pairs.size(), static_cast<std::size_t>(kPairs));
  for (const PairTime& pair : times.pairs) {
    EXPECT_DOUBLE_EQ(pair.candidate, 8e-6);
    EXPECT_DOUBLE_EQ(pair.baseline, 28e-6);
  }
  EXPECT_DOUBLE_EQ(times.overhead, 2e-6);
  EXPECT_EQ(times.device.size(), times.pairs.size());
  EXPECT_THAT(times.device, Each(7e-6));
}

TEST_F(PairedTiming, TakesNoCallForShorterThanANanosecond) {
  scene_.takes = {{"candidate kernel", 10us}, {"baseline kernel", 20us}, {"idle empty", 20us}};
  for (const PairTime& pair : launch().pairs) {
    EXPECT_DOUBLE_EQ(pair.candidate, 1e-9);
    EXPECT_DOUBLE_EQ(pair.baseline, 1e-9);
  }
}

TEST_F(PairedTiming, LeavesOutWarmUpsAndProbes) {
  const LaunchInputs& inputs = draw_.launch(0, {0});
  scene_.watch = [&](FakeBox&, const std::string& begins) {
    const auto call = static_cast<std::size_t>(scene_.count("candidate kernel"));
    // Up to the last warm-up's calls an empty one takes long, too; half of the others take 1 us, half of them 3.
    const std::ptrdiff_t kernels = scene_.count("candidate kernel") + scene_.count("baseline kernel");
    scene_.takes["idle empty"] = kernels < 2 * kWarmups ? 1ms : kernels < 2 * kWarmups + kPairs + kProbes ? 1us : 3us;
    if (begins == "candidate kernel") scene_.takes[begins] = call < kWarmups || inputs.probes[call] ? 1s : 10us;
    const auto of_baseline = static_cast<std::size_t>(scene_.count("baseline kernel"));
    if (begins == "baseline kernel") scene_.takes[begins] = of_baseline < kWarmups || inputs.probes[of_baseline] ? 1s : 30us;
  };
  const LaunchTimes times = launch();
  EXPECT_DOUBLE_EQ(times.overhead, 2e-6);
  ASSERT_EQ(times.pairs.size(), static_cast<std::size_t>(kPairs));
  for (const PairTime& pair : times.pairs) {
    EXPECT_DOUBLE_EQ(pair.candidate, 8e-6);
    EXPECT_DOUBLE_EQ(pair.baseline, 28e-6);
  }
}

TEST_F(PairedTiming, ChecksEveryOutputOfTheCandidate) {
  for (std::size_t call = 0; call < kCalls; ++call) {
    scene_.events.clear();
    const trial::Failure failure =
        failure_of([&] { launch_where("candidate kernel", static_cast<std::ptrdiff_t>(call), [](FakeBox& box) { box.err_by(3); }); });
    EXPECT_EQ(failure.verdict, Verdict::wrong_result) << call;
    EXPECT_THAT(failure.detail, testing::StartsWith("timed call: "));
    EXPECT_THAT(scene_.events.back(), testing::EndsWith(" close")) << "both boxes have left the processors by then";
  }
}

TEST_F(PairedTiming, FindsAWrongBaseline) {
  const auto wrong_from = [&](std::ptrdiff_t call) {
    scene_.events.clear();
    launch_where("baseline kernel", call, [](FakeBox& box) { box.err_by(3); });
  };
  EXPECT_THAT([&] { wrong_from(0); }, ThrowsMessage<std::runtime_error>(HasSubstr("baseline: timed call: ")));
  EXPECT_THAT([&] { wrong_from(kCalls - 1); }, ThrowsMessage<std::runtime_error>(HasSubstr("baseline: timed call: ")));
  setting_.is_witness = false;
  EXPECT_EQ(launch_where("baseline kernel", 0, [](FakeBox& box) { box.err_by(3); }).pairs.size(), static_cast<std::size_t>(kPairs));
}

TEST_F(PairedTiming, BringsBackWhatIsLookedAt) {
  setting_.candidate.transfers = setting_.baseline.transfers = true;
  launch();
  EXPECT_EQ(scene_.count("candidate download"), static_cast<std::ptrdiff_t>(kCalls));
  EXPECT_EQ(scene_.count("baseline download"), static_cast<std::ptrdiff_t>(kCalls));
  scene_.events.clear();
  setting_.is_witness = false;
  launch();
  EXPECT_EQ(scene_.count("candidate download"), static_cast<std::ptrdiff_t>(kCalls));
  EXPECT_EQ(scene_.count("baseline download"), kWarmups) << "what it gives has the right shapes";
  scene_.events.clear();
  setting_.is_witness = true;
  setting_.candidate.ours = true;
  launch();
  EXPECT_EQ(scene_.count("candidate download"), kWarmups) << "a program of ours remembers nothing";
  EXPECT_EQ(scene_.count("baseline download"), kWarmups);
}

TEST_F(PairedTiming, ChecksWarmUpsOfAProgramOfOurs) {
  setting_.candidate.ours = true;
  EXPECT_THAT([&] { launch_where("candidate kernel", 0, [](FakeBox& box) { box.err_by(3); }); },
              ThrowsMessage<std::runtime_error>(HasSubstr("baseline: timed call: ")));
  scene_.events.clear();
  EXPECT_NO_THROW(launch_where("candidate kernel", kWarmups, [](FakeBox& box) { box.err_by(3); }));
}

TEST_F(PairedTiming, ComparesWithTheOracleWhatIsFarFromTheBaseline) {
  setting_.is_witness = false;
  EXPECT_NO_THROW(launch());
  scene_.events.clear();
  EXPECT_EQ(failure_of([&] { launch_where("candidate kernel", 1, [](FakeBox& box) { box.err_by(3); }); }).verdict, Verdict::wrong_result);
}

TEST_F(PairedTiming, TellsWhoseFailureItIs) {
  const auto crash = [](FakeBox& box) { box.refuse({Verdict::crash, "boom"}); };
  const auto silence = [](FakeBox& box) { box.fall_silent(); };
  for (const char* event : {"candidate open", "candidate empty", "candidate kernel"}) {
    scene_.events.clear();
    const trial::Failure failure = failure_of([&] { launch_where(event, 0, crash); });
    EXPECT_EQ(failure.verdict, Verdict::crash) << event;
    EXPECT_EQ(failure.detail, "boom");
  }
  for (const char* event : {"baseline open", "baseline empty", "baseline kernel", "idle empty"}) {
    scene_.events.clear();
    EXPECT_THAT([&] { launch_where(event, 0, crash); }, ThrowsMessage<std::runtime_error>("baseline: boom")) << event;
    // The idle box serves all launches.
    setting_.idle = idle();
  }
  scene_.events.clear();
  const trial::Failure silent = failure_of([&] { launch_where("candidate kernel", 3, silence); });
  EXPECT_EQ(silent.verdict, Verdict::harness_error);
  EXPECT_EQ(silent.detail, "the box ended without a reason");
  setting_.candidate.ours = true;
  scene_.events.clear();
  EXPECT_THAT([&] { launch_where("candidate kernel", 3, crash); }, ThrowsMessage<std::runtime_error>("baseline: boom"));
}

TEST_F(PairedTiming, LooksAtFencesAfterEachCall) {
  const trial::Failure failure =
      failure_of([&] { launch_where("candidate kernel", kCalls - 1, [&](FakeBox&) { scene_.damaged = {"candidate"}; }); });
  EXPECT_EQ(failure.verdict, Verdict::out_of_bounds);
  scene_.damaged = {"baseline"};
  EXPECT_THAT([&] { launch(); }, ThrowsMessage<std::runtime_error>("baseline: a fence"));
}

TEST_F(PairedTiming, FindsFailuresOfTransfers) {
  setting_.candidate.transfers = setting_.baseline.transfers = true;
  setting_.is_witness = false;
  const auto crash = [](FakeBox& box) { box.refuse({Verdict::crash, "boom"}); };
  EXPECT_EQ(failure_of([&] { launch_where("candidate download", kCalls - 1, crash); }).detail, "boom");
  scene_.events.clear();
  EXPECT_THAT([&] { launch_where("baseline download", 0, crash); }, ThrowsMessage<std::runtime_error>("baseline: boom"));
  scene_.events.clear();
  EXPECT_EQ(failure_of([&] { launch_where("candidate upload", 0, crash); }).detail, "boom");
}

/// The candidate's processor time advances by `much` as these events begin, `times` in all.
class Stillness : public PairedTiming {
 protected:
  void stir(const std::string& event, std::chrono::nanoseconds much, int times = 1000, std::ptrdiff_t from = 0) {
    scene_.events.clear();
    scene_.cpu.clear();
    scene_.watch = [=, this, left = times](FakeBox&, const std::string& begins) mutable {
      if (begins == event && scene_.count(event) >= from && left-- > 0) scene_.cpu["candidate"] += much;
    };
    launch();
  }
  std::string stirred(const std::string& event, std::chrono::nanoseconds much, int times = 1000) {
    const trial::Failure failure = failure_of([&] { stir(event, much, times); });
    EXPECT_EQ(failure.verdict, Verdict::policy);
    return failure.detail;
  }
};

TEST_F(Stillness, IsNotDemandedOfWhoIsCalled) {
  EXPECT_NO_THROW(stir("candidate kernel", 1ms));
  EXPECT_NO_THROW(stir("candidate empty", 1ms));
}

TEST_F(Stillness, EndsWhoRunsWhileTheBaselineIsCalled) {
  EXPECT_EQ(stirred("baseline kernel", 1ms), "ran while it was frozen, for 1e+03 us");
  EXPECT_EQ(stirred("baseline kernel", 1ms, 3), "ran while it was frozen, for 1e+03 us");
  EXPECT_NO_THROW(stir("baseline kernel", 1ms, 2)) << "a hypervisor does that to anybody";
}

TEST_F(Stillness, EndsWhoRunsWhileInputsAreWritten) {
  EXPECT_EQ(stirred("candidate poison", 30us), "ran while it was frozen, for 30 us");
  EXPECT_EQ(stirred("baseline layout", 30us), "ran while it was frozen, for 30 us");
}

TEST_F(Stillness, ForgivesWhatAWakeUpCosts) {
  EXPECT_NO_THROW(stir("baseline kernel", 20us));
  EXPECT_EQ(stirred("baseline kernel", 20001ns), "ran while it was frozen, for 20 us");
}

TEST_F(Stillness, IsLookedAtWhenTheLastStretchHasBeenAccounted) {
  const auto accounted_after = [&](const std::string& event) {
    scene_.events.clear();
    scene_.cpu.clear();
    scene_.watch = [=, this](FakeBox&, const std::string& begins) {
      if (begins == "idle empty" && !scene_.events.empty() && scene_.events.back() == event) scene_.cpu["candidate"] += 1ms;
    };
    launch();
  };
  EXPECT_NO_THROW(accounted_after("candidate kernel")) << "by the first empty call, of what it did when it was called";
  EXPECT_EQ(failure_of([&] { accounted_after("baseline poison"); }).verdict, Verdict::policy);
}

TEST_F(Stillness, IsNotAskedOfAProcessThatHasEnded) {
  EXPECT_NO_THROW(launch_where("baseline kernel", 3, [this](FakeBox&) { scene_.gone = {"candidate"}; }));
}

TEST_F(Stillness, IsNotDemandedWhileDataAreBroughtToTheDevice) {
  setting_.candidate.transfers = true;
  EXPECT_EQ(stirred("candidate poison", 1ms), "ran while it was frozen, for 1e+03 us") << "it is looked at before its upload";
  EXPECT_EQ(stirred("baseline layout", 1ms), "ran while it was frozen, for 1e+03 us") << "with its data in sight";
  setting_.baseline.transfers = true;
  EXPECT_NO_THROW(stir("candidate upload", 1ms));
  EXPECT_EQ(stirred("baseline upload", 1ms), "ran while it was frozen, for 1e+03 us");
}

class Transfers : public PairedTiming {
 protected:
  Transfers() {
    setting_.candidate.transfers = true;
    record::Device device;
    device.kind = "gpu";
    setting_.turns = DeviceTurns(folder_ / "machine.json", device);
    scene_.watch = [this](FakeBox&, const std::string& begins) { held_[begins].insert(held(folder_.path())); };
  }
  TemporaryFolder folder_;
  std::map<std::string, std::set<std::string>> held_;  ///< at each event
};

TEST_F(Transfers, AreMadeBetweenPoisonAndCall) {
  for (const bool both : {false, true}) {
    setting_.baseline.transfers = both;
    setting_.is_witness = both;
    scene_.events.clear();
    launch();
    Events expected;
    for (const std::string& first : firsts()) {
      expected.push_back("idle empty");
      for (const std::string& who : {first, other(first)}) {
        append(expected, of({who + " layout", who + " poison"}));
        if (who == "candidate" || both) expected.push_back(who + " upload");
        if (who == "candidate") expected.push_back("idle empty");  // its upload is accounted
      }
      for (const std::string& who : {first, other(first)}) append(expected, of({"idle empty", "idle empty", who + " kernel"}));
      for (const std::string& who : {first, other(first)})
        if (who == "candidate" || both) expected.push_back(who + " download");
    }
    const auto begin = std::ranges::find(scene_.events, firsts()[1] == "candidate" ? "candidate empty" : "baseline empty") + 1;
    EXPECT_EQ(Events(begin, scene_.events.end() - 2), expected);
  }
  const std::string upload = "candidate upload";
  scene_.events.clear();
  launch();
  setting_.baseline.transfers = true;
  scene_.events.clear();
  launch();
  const std::string last = firsts().back();
  const Events ends(scene_.events.end() - 4, scene_.events.end() - 2);
  EXPECT_THAT(ends, ElementsAre(last + " download", other(last) + " download"));
  EXPECT_EQ(scene_.count(upload), static_cast<std::ptrdiff_t>(kCalls));
}

TEST_F(Transfers, HaveTheDeviceAloneFromTheWarmUpToTheLastCall) {
  launch();
  using Held = std::set<std::string>;
  EXPECT_EQ(held_["candidate open"], Held{"shared"});
  for (const char* event : {"candidate kernel", "baseline kernel", "candidate upload", "candidate download", "candidate empty"})
    EXPECT_EQ(held_[event], Held{"alone"}) << event;
  EXPECT_EQ(held_["candidate close"], Held{"shared"}) << "a driver that ends a process holds others up";
  EXPECT_FALSE(held_["baseline open"].contains("shared")) << "a program on the processor needs no device";
}

TEST_F(Transfers, OfAProgramThatIsInterpretedBeginWhenItIsLoaded) {
  setting_.baseline.transfers = setting_.baseline.interpreted = true;
  launch();
  EXPECT_FALSE(held_["baseline open"].contains("shared")) << "the import takes seconds, and no device";
}

TEST_F(Transfers, OfTwoProgramsThatLaunchAreOpenedInDrawnOrder) {
  const auto opened = [&] {
    std::set<std::string> first;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      scene_.events.clear();
      launch(seed);
      first.insert(scene_.events.front());
    }
    return first;
  };
  EXPECT_THAT(opened(), ElementsAre("candidate open")) << "the other has nothing on the device";
  setting_.baseline.launch.emplace();
  setting_.baseline.transfers = true;
  expect_fair(1, [this] { return scene_.events.front() == "candidate open"; });
}

/// Host code on a device: beside each call a process of ours seals, and watches the device.
class Sealed : public PairedTiming {
 protected:
  Sealed() {
    setting_.candidate.argv.emplace_back("library");
    setting_.candidate.transfers = setting_.candidate.seals = true;
    scene_.device_takes["sealing watch"] = kAlone;
  }
  /// From the candidate's start on, a watch takes as long as `taken` says of how often there was one since the last call of a kernel.
  void watch(const std::function<std::chrono::nanoseconds(int)>& taken) {
    scene_.watch = [=, this, watches = 0](FakeBox&, const std::string& begins) mutable {
      if (begins.ends_with(" kernel")) watches = 0;
      if (begins == "sealing watch" && scene_.count("candidate open") > 0) scene_.device_takes[begins] = taken(watches++);
    };
    launch();
  }
  static constexpr std::chrono::nanoseconds kAlone = 5ms, kShared = 9ms;
  static constexpr const char* kBusy = "keeps the device busy between its calls: what takes 5e+03 us there takes 9e+03 us beside it";
};

TEST_F(Sealed, TakesOffWhatASealCosts) {
  scene_.takes = {{"candidate kernel", 100us}, {"sealing seal", 30us}};
  for (const PairTime& pair : launch().pairs) EXPECT_DOUBLE_EQ(pair.candidate, 70e-6);
}

TEST_F(Sealed, EndsWhoKeepsTheDeviceBusy) {
  const trial::Failure failure = failure_of([&] { watch([](int) { return kShared; }); });
  EXPECT_EQ(failure.verdict, Verdict::policy);
  EXPECT_EQ(failure.detail, kBusy);
  EXPECT_EQ(scene_.count("candidate kernel") + scene_.count("baseline kernel"), 0) << "nothing is timed beside it";
  EXPECT_NEAR(static_cast<double>(scene_.count("sealing watch")), 10'000.0 / 9, 20) << "it is waited for as long as a call may take";
}

TEST_F(Sealed, EndsWhoLeavesWorkBehindThatIsOverSoon) {
  const auto follows_it = [this] { return scene_.count("candidate kernel") > scene_.count("baseline kernel"); };
  EXPECT_EQ(failure_of([&] { watch([&](int watches) { return watches == 0 && follows_it() ? kShared : kAlone; }); }).detail, kBusy);
  EXPECT_EQ(scene_.count("candidate kernel"), static_cast<std::ptrdiff_t>(kCalls)) << "what follows most of its calls decides";
}

TEST_F(Sealed, WaitsUntilTheDeviceIsStill) {
  EXPECT_NO_THROW(watch([this](int watches) { return scene_.count("candidate kernel") == 3 && watches < 100 ? kShared : kAlone; }));
  EXPECT_GE(scene_.count("sealing watch"), static_cast<std::ptrdiff_t>(2 * kCalls + 100));
}

TEST_F(Sealed, WaitsOnTheCandidatesTime) {
  setting_.candidate.budget = std::make_shared<trial::TimeBudget>(50ms);
  EXPECT_EQ(failure_of([&] { watch([](int watches) { return watches < 2 ? kShared : kAlone; }); }).detail, kBusy);
  EXPECT_EQ(scene_.count("candidate kernel") + scene_.count("baseline kernel"), 2);
}

TEST_F(Sealed, ForgivesAWarmDevice) {
  EXPECT_NO_THROW(watch([](int) { return 8ms; }));
}

TEST_F(Sealed, MakesTheDeviceTurnToWhoIsTimed) {
  launch();
  for (std::size_t i = 0; i < scene_.events.size(); ++i) {
    if (!scene_.events[i].ends_with(" kernel")) continue;
    const std::string who = scene_.events[i].substr(0, scene_.events[i].find(' '));
    ASSERT_GE(i, 4u);
    EXPECT_EQ(Events(scene_.events.begin() + static_cast<std::ptrdiff_t>(i - 4), scene_.events.begin() + static_cast<std::ptrdiff_t>(i)),
              of({"sealing watch", "sealing seal", who + " touch", "idle empty"}));
  }
}

TEST_F(Sealed, ItsOwnProcessFailsForUs) {
  for (const std::string event : {"sealing watch", "sealing seal"}) {
    scene_.watch = [&](FakeBox& box, const std::string& begins) {
      if (begins == event) box.refuse({Verdict::crash, "boom"});
    };
    EXPECT_THAT([&] { launch(); }, ThrowsMessage<std::runtime_error>("baseline: boom")) << event;
  }
}

class SealedBesideAClock : public Sealed {
 protected:
  SealedBesideAClock() {
    setting_.baseline.transfers = true;
    setting_.baseline.call_limit = 4s;
    scene_.batches["baseline"] = 1;
    scene_.device_takes["baseline kernel"] = 7us;
    scene_.takes["baseline batch"] = 500us;
  }
};

TEST_F(SealedBesideAClock, BelievesIt) {
  std::set<std::chrono::milliseconds> limits;
  scene_.watch = [&](FakeBox& box, const std::string& begins) {
    if (begins == "baseline close") limits.insert(box.limits().begin(), box.limits().end());
  };
  for (const PairTime& pair : launch().pairs) EXPECT_DOUBLE_EQ(pair.baseline, 7e-6) << "nothing is taken off";
  EXPECT_EQ(scene_.count("baseline batch"), static_cast<std::ptrdiff_t>(kCalls));
  EXPECT_EQ(scene_.count("baseline kernel"), 0);
  EXPECT_THAT(limits, ElementsAre(8s));
}

TEST_F(SealedBesideAClock, EndsWhoRunsMeanwhile) {
  scene_.watch = [&](FakeBox&, const std::string& begins) {
    if (begins == "baseline batch") scene_.cpu["candidate"] += 50us;
  };
  const trial::Failure failure = failure_of([&] { launch(); });
  EXPECT_EQ(failure.verdict, Verdict::policy);
  EXPECT_EQ(failure.detail, "ran while it was frozen, for 50 us");
}

TEST_F(SealedBesideAClock, EndsWhoRunsWhileTheBaselineIsCalledSecond) {
  scene_.watch = [&](FakeBox&, const std::string& begins) {
    if (begins == "baseline batch" && scene_.count("candidate kernel") > scene_.count("baseline batch")) scene_.cpu["candidate"] += 50us;
  };
  EXPECT_EQ(failure_of([&] { launch(); }).detail, "ran while it was frozen, for 50 us");
}

TEST_F(SealedBesideAClock, FailsForUsWhereTheBaselineDoes) {
  EXPECT_THAT([&] { launch_where("baseline batch", 0, [](FakeBox& box) {
                      box.refuse({Verdict::crash, "boom"});
                    }); },
              ThrowsMessage<std::runtime_error>("baseline: boom"));
}

TEST_F(PairedTiming, TakesOffAnInterpretersOwnEmptyCall) {
  setting_.baseline.interpreted = true;
  scene_.takes = {{"baseline empty", 30us}, {"baseline kernel", 100us}, {"idle empty", 10us}, {"candidate kernel", 100us}};
  for (const PairTime& pair : launch().pairs) {
    EXPECT_DOUBLE_EQ(pair.baseline, 70e-6);
    EXPECT_DOUBLE_EQ(pair.candidate, 90e-6);
  }
}

TEST_F(PairedTiming, KeepsAnInterpretedBaselineUntilItFails) {
  setting_.baseline.interpreted = true;
  launch();
  launch();
  EXPECT_EQ(scene_.count("baseline open"), 1);
  EXPECT_EQ(scene_.count("candidate open"), 2);
  EXPECT_EQ(scene_.count("baseline close"), 0);
  ASSERT_NE(setting_.kept, nullptr);
  setting_.kept->refuse({Verdict::crash, "boom"});
  launch();
  EXPECT_EQ(scene_.count("baseline open"), 2);
}

trial::BoxProgram framework_program() {
  trial::BoxProgram program = named("framework");
  program.ours = program.interpreted = program.transfers = true;
  return program;
}

TEST_F(PairedTiming, StartsAFrameworkThatServesAllLaunches) {
  const trial::BoxProgram framework = framework_program();
  expected_calls_ = 1;
  start_framework(setting_, framework, draw_.layout());
  EXPECT_EQ(scene_.count("framework open"), 1);
  EXPECT_FALSE(setting_.is_witness) << "it has float32 alone";
  expected_calls_ = kCalls;
  launch();
  launch();
  EXPECT_EQ(scene_.count("framework open"), 1);
  EXPECT_EQ(scene_.count("baseline open"), 0);
  EXPECT_EQ(scene_.count("framework kernel"), 2 * kCalls);
}

TEST_F(PairedTiming, AFrameworkOnADeviceIsAWitness) {
  trial::BoxProgram framework = framework_program();
  framework.devices = {"/dev/null"};
  setting_.is_witness = false;
  expected_calls_ = 1;
  start_framework(setting_, framework, draw_.layout());
  EXPECT_TRUE(setting_.is_witness);
}

TEST_F(PairedTiming, KeepsItsBaselineWhereAFrameworkIsUnsuited) {
  const trial::BoxProgram framework = framework_program();
  setting_.open_box = [open = setting_.open_box](const trial::BoxProgram& program, std::span<const PreparedCase> calls) {
    if (program.argv.front() == "framework") throw trial::Unsuited("no such operator");
    return open(program, calls);
  };
  EXPECT_THROW(start_framework(setting_, framework, draw_.layout()), trial::Unsuited);
  EXPECT_TRUE(setting_.is_witness);
  launch();
  EXPECT_EQ(scene_.count("baseline open"), 1);
}

TEST_F(PairedTiming, AFrameworkOfAShapeBeforeIsClosed) {
  const trial::BoxProgram framework = framework_program();
  expected_calls_ = 1;
  start_framework(setting_, framework, draw_.layout());
  start_framework(setting_, framework, draw_.layout());
  EXPECT_EQ(scene_.count("framework open"), 2);
  EXPECT_EQ(scene_.count("framework close"), 1);
}

class LargeTensors : public PairedTiming {
 protected:
  static constexpr int kElements = (4 << 20) / 8;  // of an input and an output in float32: 4 MiB
  explicit LargeTensors(int more) : PairedTiming(kElements + more) { setting_.processors = {.judge = 0, .boxes = {0, 0}}; }
  std::set<std::thread::id> threads() {
    launch();
    std::set<std::thread::id> threads;
    for (const auto& [who, thread] : scene_.laid_out_by) threads.insert(thread);
    return threads;
  }
};

struct JustAsLarge : LargeTensors {
  JustAsLarge() : LargeTensors(0) {}
};
struct Larger : LargeTensors {
  Larger() : LargeTensors(1) {}
};

TEST_F(JustAsLarge, AreWrittenByOneThread) { EXPECT_THAT(threads(), ElementsAre(std::this_thread::get_id())); }

TEST_F(Larger, AreWrittenSideBySide) {
  EXPECT_GT(threads().size(), 1u);
  EXPECT_EQ(scene_.laid_out_by.size(), 2 * kCalls + 2) << "each once for a call, and once while it is blank";
  setting_.candidate.transfers = true;
  scene_.laid_out_by.clear();
  EXPECT_EQ(threads().size(), 1u) << "the device's link is one";
}

}  // namespace
}  // namespace assay::timing
