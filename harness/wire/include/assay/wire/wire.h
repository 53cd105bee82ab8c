// SPDX-License-Identifier: Apache-2.0
// What judge and box share, and all that they share: four memory files handed over at launch.
//   command  written by the judge, read by the box     which call, where the buffers lie, the dimensions
//   status   written by the box, read by the judge     the call that is done; advice on a fault, never a verdict
//   inputs   written by the judge, sealed read-only to the box
//   outputs  written by the box; poisoned and fenced by the judge before each call, but for those that a device fills itself
// A box in any language speaks this header: store kArrived to `ready`, wait for `go` to change, load the target, store kLoaded
// or kNotLoaded; then for each change of `go` run the call and store its number to `done`.
#pragma once

#include <atomic>
#include <cstdint>

namespace assay::wire {

inline constexpr std::uint32_t kVersion = 11;
inline constexpr std::size_t kMaxBuffers = 1024 + 64;  ///< a task's tensors, and the scratch buffers of a launch block
inline constexpr std::size_t kMaxDims = 1024;
inline constexpr std::size_t kMaxLaunches = 32 + 64;  ///< of a launch block, and what is zeroed before
inline constexpr std::size_t kMaxArguments = 32;
inline constexpr std::size_t kMaxSets = 64;  ///< calls of one batch
inline constexpr std::uint64_t kPage = 4096;
inline constexpr std::uint64_t kAlignment = 64;  ///< of every buffer's first byte

/// Where a box maps its buffers: below all addresses that the kernel chooses by itself, so that no range from there reaches in.
/// A loaded kernel can neither unmap these buffers nor change their protection.
#ifdef ASSAY_SANITIZES_ADDRESSES  // its own memory lies there
inline constexpr std::uint64_t kBuffersBegin = std::uint64_t{2} << 44, kBuffersEnd = std::uint64_t{5} << 44;
#else
inline constexpr std::uint64_t kBuffersBegin = std::uint64_t{1} << 32, kBuffersEnd = std::uint64_t{1} << 44;
#endif

/// File descriptors at which a box finds the four files.
enum Fd : int { kCommandFd = 3, kStatusFd = 4, kInputsFd = 5, kOutputsFd = 6 };

/// empty: the handshake alone, to measure its cost; upload, download: all buffers to the device's memory, and back. Of boxes with
/// Status::batches: stow uploads all buffers and seals them on the device as one of several sets, where no kernel can read them, and makes
/// the launches ready; fetch downloads what a batch left of a set; batch calls the kernels on each set in turn, and empty_batch does all of
/// that but the kernels. sealing: all of a sealed call but the kernel.
/// touch: something on the device that takes no time, for which it turns to this process: what comes next does not wait for that.
/// watch: a kernel of some milliseconds, whose time by the device's own clock grows by what other processes have the device do meanwhile.
enum class CallKind : std::uint32_t { kernel, empty, upload, download, stow, fetch, batch, empty_batch, sealing, touch, watch };

/// Values of Status::ready. A box that ends before it has arrived has run nothing of a candidate's: that is our failure.
enum Ready : std::uint32_t {
  kStarting,
  kLoaded,     ///< waiting for calls
  kNotLoaded,  ///< without kArrived before it: the box was not even ready to load; see Status::message
  kArrived,
  kResisted,  ///< the filter for loaded kernels could not be installed
  kUnsuited,  ///< a framework lacks what it is asked for, and has not arrived; see Status::message
};

/// One tensor: `pages` whole pages of its file from `offset`, its first byte `start` bytes into them.
/// The payload ends at the last page's end, up to alignment; the box maps a PROT_NONE page on either side.
struct Buffer {
  std::uint64_t offset;
  std::uint64_t pages;
  std::uint64_t start;
  std::uint64_t bytes;
  std::uint32_t is_output;
  std::uint32_t is_scratch;  ///< an output that nobody reads afterwards
};

/// What a kernel of a launch block gets, in order.
struct Argument {
  enum Kind : std::uint32_t { kBuffer, kInt32, kInt64, kLocal } kind;
  std::uint32_t buffer;  ///< index into Command::buffers
  std::int64_t value;    ///< of a number; bytes of local memory
};

/// In place of a kernel: the one argument, a buffer, is filled with zeros.
inline constexpr std::uint32_t kZeroing = 0xffffffff;

struct Launch {
  std::uint32_t kernel;  ///< index into the names that the box was started with, or kZeroing
  std::uint32_t rank;    ///< how many sizes count
  std::uint64_t global[3];
  std::uint64_t local[3];    ///< 0: the runtime chooses
  std::uint64_t cluster[3];  ///< 0: none
  std::uint64_t shared_bytes;
  std::uint32_t argument_count;
  std::uint32_t reserved;
  Argument arguments[kMaxArguments];
};

/// Some of Command::buffers, by index.
struct BufferSet {
  std::uint64_t words[(kMaxBuffers + 63) / 64];  ///< one bit for each

  bool contains(std::size_t buffer) const { return (words[buffer / 64] >> buffer % 64 & 1) != 0; }
  void insert(std::size_t buffer) { words[buffer / 64] |= std::uint64_t{1} << buffer % 64; }
};

/// Of a call of host code on a device's memory. What is uploaded is masked, and the key comes with the call: until the judge's clock runs,
/// the process does not know its inputs. The outputs' digest ends the call: until it is there, the clock runs.
struct Seal {
  std::uint32_t is_on;   ///< 0: buffers are plain, and nobody asks for a digest
  std::uint32_t key[8];  ///< of ChaCha20 (RFC 8439), with the nonce 0, 0, index of the buffer
  BufferSet masked;
};
/// Of outputs: BLAKE2b-256 (RFC 7693) of each kDigestPart bytes of each, in order, then of each part of these digests, until there is one.
inline constexpr std::size_t kDigestBytes = 32, kDigestPart = 256;
/// Of inputs that lie stowed on a device: what one digest stands for that is kept of them, at the third level of these.
inline constexpr std::size_t kInputPiece = kDigestPart * (kDigestPart / kDigestBytes) * (kDigestPart / kDigestBytes);

/// Outputs whose memory on a device begins as one word, over and over: with poison that the judge has not written to their payloads here.
struct Fill {
  std::uint32_t word;
  BufferSet filled;
};

struct Command {
  alignas(64) std::atomic<std::uint32_t> go;  ///< number of the newest call; the box acts when it changes
  alignas(64) std::uint32_t version;
  CallKind kind;
  std::uint32_t layout;  ///< changes whenever buffers change: the box maps them afresh
  std::uint32_t spin;    ///< wait for `go` by spinning (timing) rather than by futex
  std::uint32_t filter;  ///< before loading, install the filter that leaves a kernel memory, threads and time
  std::uint32_t arenas;  ///< most arenas of the C library's allocator; 0: its own choice
  std::uint32_t set;     ///< that is stowed or fetched; of a batch, how many sets there are: its calls are on the first ones
  std::uint32_t buffer_count;
  std::uint32_t dim_count;
  std::int64_t dims[kMaxDims];
  Buffer buffers[kMaxBuffers];  ///< inputs, outputs, and as outputs the scratch buffers of a launch block
  std::uint32_t launch_count;   ///< 0 where a call is one of the loaded library's function
  Launch launches[kMaxLaunches];
  Seal seal;
  Fill fill;
};

/// refused: the runtime would not make the call, see Status::message; unmapped: an access beyond all buffers, of which a device
/// tells no more; input_piece: an input_write somewhere in the kInputPiece bytes from Status::fault_offset.
enum class Fault : std::uint32_t { none, other, guard, input_write, refused, unmapped, input_piece };

struct Status {
  alignas(64) std::atomic<std::uint32_t> done;   ///< number of the newest finished call
  alignas(64) std::atomic<std::uint32_t> ready;  ///< a Ready
  Fault fault;
  std::uint32_t signal;
  std::uint32_t buffer;               ///< index of the buffer that the fault is about
  std::uint32_t memory_exhausted;     ///< an allocation failed or the address space is full
  std::int64_t fault_offset;          ///< bytes from the buffer's first byte
  std::uint64_t device_ns;            ///< what the device's own clock says of the last call; 0: it has none
  char message[256];                  ///< why loading failed or a call was refused
  std::uint32_t batches;              ///< most calls of a batch; 0: the box makes none
  std::uint64_t set_ns[kMaxSets];     ///< what the device's own clock says of each call of the last batch
  std::uint8_t digest[kDigestBytes];  ///< of the outputs of the last sealed call
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(sizeof(Status) <= kPage);

}  // namespace assay::wire
