// SPDX-License-Identifier: Apache-2.0
#include "digests.h"

#include <utility>

#include "assay/wire/wire.h"
#include "driver.h"
#include "own_kernels.h"
#include "vault.h"

namespace assay::cuda {
namespace {

std::uint64_t parts_of(std::uint64_t bytes) { return round_up(bytes, wire::kDigestPart) / wire::kDigestPart; }

}  // namespace

Digests::Digests(const Device& device, CUstream stream) : stream_(stream), digest_(own_kernel(load_own_kernels(device), "assay_digest")) {}

/// Each level has an eighth of the one before.
CUdeviceptr Digests::room_for(std::uint64_t parts) {
  const std::uint64_t bytes = (2 * parts + 64) * wire::kDigestBytes;
  if (bytes <= bytes_) return memory_;
  if (memory_ != 0) check(driver().cuMemFree(std::exchange(memory_, 0)), "cuMemFree");
  check(driver().cuMemAlloc(&memory_, bytes), "digests: cuMemAlloc");
  bytes_ = bytes;
  return memory_;
}

CUdeviceptr Digests::queue(Range range, CUdeviceptr to) {
  const std::uint64_t parts = parts_of(range.bytes);
  void* arguments[] = {&range.at, &to, &range.bytes};
  if (parts > 0) launch_own(digest_, (parts + kOwnThreads - 1) / kOwnThreads, arguments, stream_);
  return to + parts * wire::kDigestBytes;
}

std::vector<std::byte> Digests::fetch(CUdeviceptr from, CUdeviceptr end) {
  std::vector<std::byte> digests(end - from);
  check(driver().cuStreamSynchronize(stream_), "cuStreamSynchronize");
  if (!digests.empty()) check(driver().cuMemcpyDtoH(digests.data(), from, digests.size()), "cuMemcpyDtoH");
  return digests;
}

std::vector<std::byte> Digests::of_all(std::span<const Range> ranges) {
  std::uint64_t parts = 0;
  for (const Range& range : ranges) parts += parts_of(range.bytes);
  if (parts == 0) return std::vector<std::byte>(wire::kDigestBytes);
  CUdeviceptr level = room_for(parts), next = level;
  for (const Range& range : ranges) next = queue(range, next);
  while (next - level > wire::kDigestBytes) level = std::exchange(next, queue({level, next - level}, next));
  return fetch(level, next);
}

std::vector<std::byte> Digests::of_pieces(Range range, int levels) {
  CUdeviceptr level = room_for(parts_of(range.bytes)), next = queue(range, level);
  while (--levels > 0) level = std::exchange(next, queue({level, next - level}, next));
  return fetch(level, next);
}

}  // namespace assay::cuda
