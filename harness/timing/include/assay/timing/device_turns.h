// SPDX-License-Identifier: Apache-2.0
// Judges that use one GPU at the same time take turns: whoever times a call has it alone, whoever copies, or only tests, shares it. So a
// machine's processors can draw and check for several judges, while the device runs what is timed of one.
#pragma once

#include <filesystem>
#include <utility>
#include <vector>

#include "assay/record/record.h"
#include "assay/sandbox/processors.h"
#include "assay/spec/descriptor.h"

namespace assay::timing {

/// Held until its end.
class Turn {
 public:
  Turn() = default;
  /// Of a file that is locked.
  explicit Turn(spec::Descriptor locked) : locked_(std::move(locked)) {}
  ~Turn();
  Turn(Turn&& other) noexcept = default;
  Turn& operator=(Turn&& other) noexcept = default;

 private:
  spec::Descriptor locked_;
};

/// Turns on one device among the judges of a build tree.
class DeviceTurns {
 public:
  /// None: every turn is there at once.
  DeviceTurns() = default;
  /// Of `device`, by files beside `machine` (plan::Settings::machine); none where it is no GPU. Throws std::runtime_error where they
  /// cannot be made.
  DeviceTurns(const std::filesystem::path& machine, const record::Device& device);

  /// While nobody is alone with it. Whoever waits to be alone is served before those who come later.
  Turn shared() const;
  Turn alone() const;

 private:
  std::filesystem::path lock_;
};

/// Shares all devices that have been used in the tree of `machine`: for a program that may use any.
std::vector<Turn> share_all_devices(const std::filesystem::path& machine);

/// A share of the processors that no other judge of the tree has; where all are taken, one that becomes free.
class Seat {
 public:
  Seat(std::filesystem::path machine, sandbox::Processors all);
  sandbox::Processors processors() const { return sandbox::share_of(all_, number_); }
  /// Those that nobody has now, for what is not timed: whoever comes meanwhile waits for one.
  std::vector<Seat> free_ones() const;

 private:
  Seat(const Seat& other, int number, Turn held) : machine_(other.machine_), all_(other.all_), number_(number), held_(std::move(held)) {}
  std::filesystem::path file(int number) const;

  std::filesystem::path machine_;
  sandbox::Processors all_;
  int number_ = 0;
  Turn held_;
};

}  // namespace assay::timing
