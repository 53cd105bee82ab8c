// SPDX-License-Identifier: Apache-2.0
// What judge and box share, and all that they share: four memory files handed over at launch.
//   command  written by the judge, read by the box     which call, where the buffers lie, the dimensions
//   status   written by the box, read by the judge     the call that is done; advice on a fault, never a verdict
//   inputs   written by the judge, sealed read-only to the box
//   outputs  written by the box; poisoned and fenced by the judge before each call
// A box in any language speaks this header: store kArrived to `ready`, wait for `go` to change, load the target, store kLoaded
// or kNotLoaded; then for each change of `go` run the call and store its number to `done`.
#pragma once

#include <atomic>
#include <cstdint>

namespace assay::wire {

inline constexpr std::uint32_t kVersion = 3;
inline constexpr std::size_t kMaxBuffers = 64;
inline constexpr std::size_t kMaxDims = 64;
inline constexpr std::uint64_t kPage = 4096;
inline constexpr std::uint64_t kAlignment = 64;  ///< of every buffer's first byte

/// File descriptors at which a box finds the four files.
enum Fd : int { kCommandFd = 3, kStatusFd = 4, kInputsFd = 5, kOutputsFd = 6 };

enum class CallKind : std::uint32_t { kernel, empty };  ///< empty: the handshake alone, to measure its cost

/// Values of Status::ready. A box that ends before it has arrived has run nothing of a candidate's: that is our failure.
enum Ready : std::uint32_t {
  kStarting,
  kLoaded,     ///< waiting for calls
  kNotLoaded,  ///< see Status::message
  kArrived,
  kResisted,   ///< loaded, and something in the process kept the filter for loaded kernels from being installed
};

/// One tensor: `pages` whole pages of its file from `offset`, its first byte `start` bytes into them.
/// The payload ends at the last page's end, up to alignment; the box maps a PROT_NONE page on either side.
struct Buffer {
  std::uint64_t offset;
  std::uint64_t pages;
  std::uint64_t start;
  std::uint64_t bytes;
  std::uint32_t is_output;
  std::uint32_t reserved;
};

struct Command {
  alignas(64) std::atomic<std::uint32_t> go;  ///< number of the newest call; the box acts when it changes
  alignas(64) std::uint32_t version;
  CallKind kind;
  std::uint32_t layout;  ///< changes whenever buffers change: the box maps them afresh
  std::uint32_t spin;    ///< wait for `go` by spinning (timing) rather than by futex
  std::uint32_t filter;  ///< after loading, install the filter that leaves a kernel memory, threads and time
  std::uint32_t buffer_count;
  std::uint32_t dim_count;
  std::int64_t dims[kMaxDims];
  Buffer buffers[kMaxBuffers];
};

enum class Fault : std::uint32_t { none, other, guard, input_write };

struct Status {
  alignas(64) std::atomic<std::uint32_t> done;  ///< number of the newest finished call
  alignas(64) std::atomic<std::uint32_t> ready; ///< a Ready
  Fault fault;
  std::uint32_t signal;
  std::uint32_t buffer;           ///< index of the buffer that the fault is about
  std::uint32_t memory_exhausted; ///< an allocation failed or the address space is full
  std::int64_t fault_offset;      ///< bytes from the buffer's first byte
  char message[256];              ///< why loading failed
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(sizeof(Command) <= kPage && sizeof(Status) <= kPage);

}  // namespace assay::wire
