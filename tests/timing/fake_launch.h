// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "assay/timing/paired_timing.h"
#include "fake_box.h"
#include "written_task.h"

namespace assay::timing {

using Events = std::vector<std::string>;

constexpr int kPairs = 4;
constexpr std::size_t kCalls = cases::kWarmups + kPairs + cases::kProbes;

inline std::string other(const std::string& who) { return who == "candidate" ? "baseline" : "candidate"; }

/// How a lock on the only device in `folder` is held.
inline std::string held(const std::filesystem::path& folder) {
  const spec::Descriptor file(open((folder / "turns.device-0.lock").c_str(), O_RDWR | O_CLOEXEC));
  if (!file) return "no lock";
  if (flock(file.get(), LOCK_EX | LOCK_NB) == 0) return "free";
  return flock(file.get(), LOCK_SH | LOCK_NB) == 0 ? "shared" : "alone";
}

/// Launches of boxes without processes on a task whose model is ReLU, and on inputs that are drawn.
class FakeLaunch : public testing::Test {
 protected:
  explicit FakeLaunch(int elements = 64)
      : task_(written_task("(float[N] x) => (float[N] y) { y = Relu(x) }",
                           fmt::format("dims: {{N: [1, 40]}}\ntiming: {{cpu: {{dims: {{N: {}}}}}}}\n", elements))),
        timing_(cases::prepare_timing(task_, 1)) {
    setting_.baseline.ours = true;
    setting_.open_box = [this](const trial::BoxProgram& program, std::span<const cases::PreparedCase> calls) {
      EXPECT_EQ(calls.size(), expected_calls_);
      opened_.push_back(program);
      return std::make_unique<FakeBox>(scene_, program);
    };
  }

  void TearDown() override {
    scene_.watch = [](FakeBox&, const std::string&) {};  // the boxes close after what a test has looked at is gone
  }

  /// Its outputs are judged when it is over.
  LaunchTimes launch(std::uint64_t seed = 1, std::size_t index = 0) {
    RandomStream random(seed, {"order"});
    LaunchTimes times = time_launch(setting_, draw_, index, random);
    judge_due(setting_, draw_);
    return times;
  }
  std::shared_ptr<IdleBox> idle() {
    return std::make_shared<IdleBox>(named("idle"), [this](const trial::BoxProgram& program) {
      opened_.push_back(program);
      return std::make_unique<FakeBox>(scene_, program);
    });
  }
  /// A launch of whose events the `which`th, counted from 0, of this name meets `what`.
  LaunchTimes launch_where(const std::string& event, std::ptrdiff_t which, const std::function<void(FakeBox&)>& what) {
    scene_.watch = [=, this](FakeBox& box, const std::string& begins) {
      if (begins == event && scene_.count(event) == which) what(box);
    };
    return launch();
  }
  /// How the candidate fails.
  template <class Run>
  trial::Failure failure_of(Run run) {
    try {
      run();
    } catch (const CandidateFailed& failed) {
      return failed.failure;
    }
    ADD_FAILURE() << "the candidate passed";
    return {};
  }
  /// So often does a coin fall for the candidate in 400 launches, which each throw it `throws` times: half, to six standard deviations.
  void expect_fair(int throws, const std::function<std::ptrdiff_t()>& fell) {
    constexpr int kLaunches = 400;
    std::ptrdiff_t count = 0;
    for (std::uint64_t seed = 0; seed < kLaunches; ++seed) {
      scene_.events.clear();
      launch(seed);
      count += fell();
    }
    const double all = throws * kLaunches;
    EXPECT_NEAR(static_cast<double>(count), all / 2, 6 * std::sqrt(all / 4));
  }

  using RandomStream = cases::RandomStream;
  Scene scene_;
  std::vector<trial::BoxProgram> opened_;
  PairedSetting setting_{named("candidate"), named("baseline"), idle(), {.judge = 0, .boxes = {0}}};
  spec::Task task_;
  cases::CaseFile timing_;
  std::size_t expected_calls_ = kCalls;  ///< that a box is opened for
  cases::TimedDraw draw_{task_, timing_.timing.front(), 0, 7, kPairs, ""};
};

}  // namespace assay::timing
