// SPDX-License-Identifier: Apache-2.0
#include "assay/timing/device_turns.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "assay/timing/device_monitor.h"

namespace assay::timing {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGate = ".gate", kLock = ".lock";

fs::path beside(const fs::path& machine, const std::string& what) { return machine.parent_path() / ("turns." + what); }

[[noreturn]] void fail(const fs::path& file) {
  throw std::runtime_error(
      fmt::format("bench: {} cannot be locked: {}. do: make its folder writable", file.string(), std::strerror(errno)));
}

spec::Descriptor open_file(const fs::path& file) {
  spec::Descriptor opened(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!opened) fail(file);
  return opened;
}

/// Nothing where `operation` says not to wait, and others have it.
std::optional<Turn> lock(const fs::path& file, int operation) {
  spec::Descriptor opened = open_file(file);
  while (flock(opened.get(), operation) != 0) {
    if (errno == EWOULDBLOCK) return {};
    if (errno != EINTR) fail(file);
  }
  return Turn(std::move(opened));
}

/// Through the gate in the order of arrival: who waits for the lock keeps it shut.
Turn take(const fs::path& file, int operation) {
  const auto through = lock(fs::path(file).replace_extension(kGate), LOCK_EX);
  return std::move(*lock(file, operation));
}

}  // namespace

/// Not by closing alone: a process that was started meanwhile may have a copy.
Turn::~Turn() {
  if (locked_) flock(locked_.get(), LOCK_UN);
}

DeviceTurns::DeviceTurns(const fs::path& machine, const record::Device& device) {
  if (device.kind == "gpu") lock_ = beside(machine, fmt::format("device-{}{}", std::max(0, number_of(device)), kLock));
}

Turn DeviceTurns::shared() const { return lock_.empty() ? Turn() : take(lock_, LOCK_SH); }
Turn DeviceTurns::alone() const { return lock_.empty() ? Turn() : take(lock_, LOCK_EX); }

std::vector<Turn> share_all_devices(const fs::path& machine) {
  std::vector<Turn> turns;
  std::error_code error;
  std::vector<fs::path> locks;
  for (const auto& entry : fs::directory_iterator(machine.parent_path(), error))
    if (entry.path().filename().string().starts_with("turns.device-") && entry.path().extension() == kLock) locks.push_back(entry.path());
  std::ranges::sort(locks);
  for (const fs::path& file : locks) turns.push_back(take(file, LOCK_SH));
  return turns;
}

fs::path Seat::file(int number) const { return beside(machine_, fmt::format("seat-{}", number)); }

Seat::Seat(fs::path machine, sandbox::Processors all) : machine_(std::move(machine)), all_(std::move(all)) {
  for (;; std::this_thread::sleep_for(std::chrono::milliseconds(10)))
    for (number_ = 0; number_ < sandbox::shares_of(all_); ++number_)
      if (auto free = lock(file(number_), LOCK_EX | LOCK_NB)) {
        held_ = std::move(*free);
        return;
      }
}

std::vector<Seat> Seat::free_ones() const {
  std::vector<Seat> seats;
  for (int number = 0; number < sandbox::shares_of(all_); ++number) {
    if (number == number_) continue;
    if (auto free = lock(file(number), LOCK_EX | LOCK_NB)) seats.push_back(Seat(*this, number, std::move(*free)));
  }
  return seats;
}

}  // namespace assay::timing
