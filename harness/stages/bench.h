// SPDX-License-Identifier: Apache-2.0
// The launches of a bench, one after the other, and the record that they give.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/cases/timed_inputs.h"
#include "assay/plan/candidate.h"
#include "assay/plan/plan.h"
#include "assay/record/record.h"
#include "assay/stages/bench_figures.h"
#include "assay/stages/second_attempt.h"
#include "assay/timing/device_turns.h"
#include "assay/timing/machine_state.h"
#include "assay/timing/paired_timing.h"

namespace assay::stages {

/// Where CTest hands devices out, benches run side by side: the judge of each has its own processors, those of its seat. Else none.
std::shared_ptr<const timing::Seat> take_seat(const plan::Plan& plan, const std::optional<plan::DeviceCode>& code);

/// The candidate and the built-in baseline on the processors of `seat`, or on all. Throws std::runtime_error for an unknown state of the
/// caches.
timing::PairedSetting candidate_against_baseline(const plan::Plan& plan, const plan::Candidate& candidate,
                                                 const std::optional<plan::DeviceCode>& code, std::shared_ptr<const timing::Seat> seat);

/// Of the device that the candidate runs on, measured now; else of this machine, as the fixture measured them.
timing::MachinePeaks peaks_for(const plan::Plan& plan, const timing::PairedSetting& setting);

/// Times every shape that the fixture has drawn. Throws std::runtime_error where there is none.
class Bench {
 public:
  /// `peaks` are measured while a framework starts. The machine's noise is read below `root`.
  Bench(const plan::Plan& plan, const std::optional<plan::DeviceCode>& code, timing::PairedSetting setting,
        std::function<timing::MachinePeaks()> peaks, std::filesystem::path root = "/");

  std::size_t shapes() const { return shapes_.size(); }
  const timing::Effort& effort() const { return effort_; }
  std::string shape_name(std::size_t index) const { return spell(shapes_[index].dims); }

  /// What a launch shows of the candidate: seconds of each pair, and what it is compared with.
  struct Shown {
    std::span<const double> seconds;
    double log_ratio, baseline_seconds;
  };
  /// One launch on a shape; all of one shape before those of the next. One whose clocks disagree does not count and is made again, since a
  /// hypervisor may have taken a processor away for as long: two in a bench, or a fifth of its launches. Throws timing::CandidateFailed.
  Shown launch(std::size_t index);

  /// The verdict and all figures. Throws std::runtime_error where a launch of the effort is missing.
  void fill(record::Record& record) const;

 private:
  std::optional<trial::FailedLaunch> prepare(const cases::PreparedCase& layout) const;
  timing::LaunchTimes time_once();
  void begin(std::size_t index);
  void choose_baseline(std::size_t index, const cases::PreparedCase& layout, const std::function<void()>& rest);

  static constexpr const char* kBuiltIn = "eigen";

  const plan::Plan& plan_;
  const std::optional<plan::DeviceCode>& code_;
  std::string baseline_ = kBuiltIn;  ///< its name, for the record
  spec::Task task_;
  timing::Effort effort_;
  cases::Seed seed_;
  cases::RandomStream random_;
  timing::PairedSetting setting_;
  std::function<timing::MachinePeaks()> peaks_;
  TimedTask timed_;
  timing::NoiseMeter noise_;
  std::vector<cases::TimingShape> shapes_;
  struct Drawn {
    template <class... Arguments>
    explicit Drawn(std::size_t of_shape, Arguments&&... arguments) : shape(of_shape), inputs(std::forward<Arguments>(arguments)...) {}
    std::size_t shape;
    cases::TimedDraw inputs;
    std::size_t launches = 0;  ///< those that a kill ended among them
  };
  std::optional<Drawn> drawn_;
  SecondAttempt attempts_;
  int doubted_ = 0;  ///< launches whose clocks disagreed
};

}  // namespace assay::stages
