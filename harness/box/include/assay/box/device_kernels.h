// SPDX-License-Identifier: Apache-2.0
// A candidate's kernels on a device, and the buffers that they work on: what is the same whatever the device speaks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "assay/box/worker.h"

namespace assay::box {

/// A kernel touched what no buffer has, and the device tells no more.
class UnmappedAccess : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// In the device's memory each payload lies between two fences, which hold a pattern that no kernel knows: written before each call, and
/// compared after it.
class DeviceKernels : public DeviceMemory {
 public:
  DeviceKernels();
  void allocate(std::span<const SharedBuffer> buffers) final;
  void upload(const wire::Fill& fill) override;
  std::optional<MemoryDamage> download() final;
  void stow(std::uint32_t set, std::span<const wire::Launch> launches, const wire::Fill& fill) final;
  std::optional<MemoryDamage> fetch(std::uint32_t set) final;

  /// Queues all launches, or calls the loaded function, and waits for the end. Nanoseconds from the first launch's start to the last's end
  /// on the device's clock; 0 of a function. Throws UnmappedAccess, or another std::exception where one cannot be queued, or fails on the
  /// device.
  virtual std::uint64_t run(const KernelCall& call) = 0;

 protected:
  /// How a payload lies in its memory: so many bytes before, of itself, and behind.
  struct Fenced {
    std::uint64_t before, bytes, after;
  };
  /// Gives back the memory of all buffers.
  virtual void release() = 0;
  /// Makes the memory of one more buffer.
  virtual Fenced place(const SharedBuffer& shared) = 0;
  /// To and from `at` bytes into the memory of a buffer. Done when it returns.
  virtual void write(std::size_t buffer, std::uint64_t at, std::span<const std::byte> from) = 0;
  virtual void read(std::size_t buffer, std::uint64_t at, std::span<std::byte> to) const = 0;
  /// A payload becomes `word`, over and over. Done when it returns.
  virtual void fill(std::size_t buffer, std::uint64_t at, std::uint64_t bytes, std::uint32_t word);
  /// Where there are batches: digests of each wire::kInputPiece bytes of a payload, the last one of what is left.
  virtual std::vector<std::byte> digests_of(std::size_t) { return {}; }
  /// Where there are batches: all buffers to a set, and back. Queued, before anything that is read or written later.
  virtual void seal(std::uint32_t) {}
  virtual void unseal(std::uint32_t) {}
  virtual void make_ready(std::span<const wire::Launch>) {}

 private:
  struct Buffer {
    SharedBuffer shared;
    Fenced fenced;
    std::span<std::byte> payload() const { return {shared.payload, fenced.bytes}; }
  };
  std::span<const std::byte> pattern(std::uint64_t bytes) const { return std::span(pattern_).first(bytes); }
  using ChangeOf = std::function<std::optional<std::int64_t>(std::size_t)>;
  std::optional<MemoryDamage> take(wire::Fault change, const ChangeOf& change_of);
  std::optional<std::int64_t> change_of_input(std::size_t buffer) const;
  std::optional<std::int64_t> change_since(std::size_t buffer, std::span<const std::byte> digests);
  std::optional<std::int64_t> damage_of_fence(std::size_t buffer, std::uint64_t at, std::uint64_t bytes) const;

  std::vector<Buffer> buffers_;
  std::map<std::uint32_t, std::map<std::size_t, std::vector<std::byte>>> stowed_;  ///< of each set, the digests of each input
  std::uint32_t word_ = 0;                                                         ///< that fences are made of
  std::vector<std::byte> pattern_;                                                 ///< the longest fence
};

}  // namespace assay::box
