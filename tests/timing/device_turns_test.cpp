// SPDX-License-Identifier: Apache-2.0
#include "assay/timing/device_turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <set>
#include <vector>

#include "temporary_folder.h"

namespace assay::timing {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

record::Device gpu(const std::string& selector = "NVIDIA H200#0") {
  record::Device device;
  device.kind = "gpu";
  device.selector = selector;
  return device;
}

class DeviceTurn : public testing::Test {
 protected:
  /// Takes the turn in a thread, and gives it back when it is asked for.
  template <class Take>
  std::future<Turn> later(Take take) {
    return std::async(std::launch::async, take);
  }

  const TemporaryFolder folder_;
  const std::filesystem::path machine_ = folder_ / "machine.json";
  const DeviceTurns turns_{machine_, gpu()};
};

bool is_there(std::future<Turn>& turn) { return turn.wait_for(100ms) == std::future_status::ready; }

TEST_F(DeviceTurn, IsSharedByMany) {
  const Turn first = turns_.shared();
  auto second = later([&] { return turns_.shared(); });
  EXPECT_TRUE(is_there(second));
}

TEST_F(DeviceTurn, IsOfOneAloneWhileOthersWait) {
  Turn shared = turns_.shared();
  auto alone = later([&] { return turns_.alone(); });
  EXPECT_FALSE(is_there(alone));
  shared = {};
  Turn held = alone.get();
  auto sharing = later([&] { return turns_.shared(); });
  EXPECT_FALSE(is_there(sharing));
  held = {};
  sharing.get();
}

TEST_F(DeviceTurn, ComesBeforeThoseWhoAskLater) {
  Turn shared = turns_.shared();
  auto alone = later([&] { return turns_.alone(); });
  EXPECT_FALSE(is_there(alone));
  auto sharing = later([&] { return turns_.shared(); });
  EXPECT_FALSE(is_there(sharing));
  shared = {};
  alone.get() = {};
  sharing.get();
}

TEST_F(DeviceTurn, EndsThoughAProcessThatWasStartedMeanwhileLives) {
  Turn turn = turns_.alone();
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  turn = {};
  auto other = later([&] { return turns_.alone(); });
  EXPECT_TRUE(is_there(other));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST_F(DeviceTurn, IsOfEachDevice) {
  const Turn held = turns_.alone();
  const DeviceTurns other(machine_, gpu("NVIDIA H200#1"));
  auto turn = later([&] { return other.alone(); });
  EXPECT_TRUE(is_there(turn));
}

TEST_F(DeviceTurn, OfAllDevicesHoldsEachBack) {
  const DeviceTurns other(machine_, gpu("NVIDIA H200#1"));
  turns_.alone(), other.alone();
  std::vector<Turn> all = share_all_devices(machine_);
  auto alone = later([&] { return other.alone(); });
  EXPECT_FALSE(is_there(alone));
  all.clear();
  alone.get();
}

TEST_F(DeviceTurn, IsAlwaysThereOnAProcessor) {
  record::Device processor = gpu();
  processor.kind = "cpu";
  const DeviceTurns none(machine_, processor);
  const Turn held = none.alone();
  auto turn = later([&] { return none.alone(); });
  EXPECT_TRUE(is_there(turn));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(DeviceTurn, SaysWhatCannotBeLocked) {
  const DeviceTurns turns("/dev/null/machine.json", gpu());
  try {
    turns.alone();
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/dev/null/turns.device-0.gate cannot be locked: Not a directory"));
  }
}

constexpr auto judge_of = [](const Seat& seat) { return seat.processors().judge; };

TEST_F(DeviceTurn, SeatsAreDifferent) {
  const sandbox::Processors all{.judge = 0, .boxes = {1, 2, 3}};
  auto first = std::make_unique<Seat>(machine_, all);
  const Seat second(machine_, all);
  EXPECT_EQ((std::set{judge_of(*first), judge_of(second)}), (std::set{0, 2}));
  EXPECT_EQ(second.processors().boxes, (std::vector{judge_of(second) + 1}));
  first.reset();
  EXPECT_EQ(judge_of(Seat(machine_, all)), 0);
}

TEST_F(DeviceTurn, ASeatIsWaitedFor) {
  const sandbox::Processors all{.judge = 0, .boxes = {1}};
  auto first = std::make_unique<Seat>(machine_, all);
  auto second = std::async(std::launch::async, [&] { return judge_of(Seat(machine_, all)); });
  EXPECT_EQ(second.wait_for(100ms), std::future_status::timeout);
  first.reset();
  EXPECT_EQ(second.get(), 0);
}

TEST_F(DeviceTurn, FreeSeatsAreLentAndGivenBack) {
  const sandbox::Processors all{.judge = 0, .boxes = {1, 2, 3, 4, 5, 6}};
  const Seat first(machine_, all), second(machine_, all);
  std::vector<Seat> lent = first.free_ones();
  ASSERT_EQ(lent.size(), 1) << "of three, one has none";
  EXPECT_EQ(judge_of(lent.front()), 4);
  EXPECT_TRUE(second.free_ones().empty());
  auto third = std::async(std::launch::async, [&] { return judge_of(Seat(machine_, all)); });
  EXPECT_EQ(third.wait_for(100ms), std::future_status::timeout);
  lent.clear();
  EXPECT_EQ(third.get(), 4) << "whoever comes waits for that one, not for those who time";
}

}  // namespace
}  // namespace assay::timing
