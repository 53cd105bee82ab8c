// SPDX-License-Identifier: Apache-2.0
// The box's side of the wire: maps buffers behind guard pages, waits for calls, reports faults.
// A device's memory and launches are what a backend adds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "assay/box/kernel_filter.h"
#include "assay/wire/wire.h"

namespace assay::box {

/// One call of a kernel.
struct KernelCall {
  void* const* tensors;      ///< inputs, then outputs, then scratch
  const std::int64_t* dims;  ///< the task's dimensions in order
  std::span<const wire::Launch> launches;
  const wire::Seal& seal;
  std::uint8_t* digest;      ///< gets that of the outputs where the call is sealed
  bool seals_alone = false;  ///< all but the kernel itself
};
/// Runs a call to its end. Returns the nanoseconds that the device's own clock says, 0 where it has none.
using CallTarget = std::function<std::uint64_t(const KernelCall&)>;

/// A buffer as the judge sees it: what a kernel gets, inside whole pages whose rest is fences.
struct SharedBuffer {
  std::byte* pages;
  std::uint64_t page_bytes;
  std::byte* payload;
  std::uint64_t bytes;  ///< of the payload
  bool is_output;
  bool is_scratch;
};

/// A byte beside a buffer (guard), or of an input (input_write), that a kernel wrote to; `offset` counts from the payload's first byte. Or
/// input_piece.
struct MemoryDamage {
  std::uint32_t buffer;
  wire::Fault kind;
  std::int64_t offset;
};

/// Memory that kernels see, where that is not the shared one itself. It has no guard pages: the process looks after its own.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  /// Room for buffers of a new layout; those of the last one go.
  virtual void allocate(std::span<const SharedBuffer> buffers) = 0;
  /// Every payload to the device, but for those that are filled there.
  virtual void upload(const wire::Fill& fill) = 0;
  /// The payload of every output from the device. What a kernel did to anything else there is damage.
  virtual std::optional<MemoryDamage> download() = 0;

  /// Has the device turn to this process.
  virtual void touch() {}
  /// Nanoseconds by the device's clock of a kernel that lasts for more than one turn of this process.
  virtual std::uint64_t watch() { return 0; }

  /// Most calls of a batch(); 0 where it has none of the following three.
  virtual std::uint32_t batches() const { return 0; }
  /// upload(), and what is on the device then becomes a set that no kernel can read or forge. What is launched next is made ready.
  virtual void stow(std::uint32_t, std::span<const wire::Launch>, const wire::Fill&) {}
  /// download() of what the last batch left of a set. Its inputs are those that were stowed: what lies in their payloads now is another's.
  virtual std::optional<MemoryDamage> fetch(std::uint32_t) { return {}; }
  /// One call on each of the first sets: as many as there is room for nanoseconds by the device's clock. No launches: an empty batch.
  virtual void batch(std::span<const wire::Launch>, std::span<std::uint64_t>) {}
};

class Worker {
 public:
  /// Maps command and status, and waits until the judge has seen that. Exits the process with status 3 where they are not
  /// there: not started by a judge.
  Worker();
  /// The same, with what must be there before anything of a candidate may be looked at. Where `prepare` throws, the judge is told
  /// what(), its own failure, and the process ends with status 4.
  explicit Worker(const std::function<void()>& prepare);

  /// From here on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT leave their cause in status before the process ends. Under the
  /// filter for loaded kernels nobody can change that for the first two.
  void report_faults();
  /// Tells the judge why the target could not be loaded, and ends the process with status 4.
  [[noreturn]] void fail_to_load(const char* message, wire::Ready why = wire::kNotLoaded);
  /// Tells the judge why the call that it asked for cannot be made, or how it ended, and ends the process.
  [[noreturn]] void fail_call(const char* message, wire::Fault why = wire::Fault::refused);
  /// Called before anything of a candidate is loaded: installs the filter for loaded kernels where the judge wants one.
  void confine(FileProbes probes = FileProbes::refused);
  /// Announces readiness and runs calls for ever.
  [[noreturn]] void serve(const CallTarget& target, DeviceMemory* memory = nullptr);

 private:
  void announce(wire::Ready state);
  void leave_message(const char* message);
  [[noreturn]] void fail_call(const MemoryDamage& damage);
  void map_buffers();
  static void allocate(DeviceMemory& memory);
  std::uint32_t wait_for_call(std::uint32_t last) const;

  const wire::Command* command_;
  wire::Status* status_;
  std::byte* buffers_begin_;  ///< between wire::kBuffersBegin and wire::kBuffersEnd, at random
  std::byte* buffers_end_;    ///< of all layouts so far
  std::uint32_t layout_ = 0;
  std::vector<char> heap_shift_;  ///< moves all later allocations by a random distance
};

}  // namespace assay::box
