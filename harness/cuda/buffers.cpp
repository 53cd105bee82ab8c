// SPDX-License-Identifier: Apache-2.0
#include "buffers.h"

#include <algorithm>

#include "driver.h"
#include "vault.h"

namespace assay::cuda {
namespace {

/// Of every buffer's first byte: the widest load of a thread. More would leave room between a buffer's end and its mapping's.
constexpr std::uint64_t kAlignment = 16;

}  // namespace

void fail_on_device(CUresult status) {
  if (status == CUDA_ERROR_ILLEGAL_ADDRESS) throw box::UnmappedAccess("accessed memory beyond its buffers (" + status_text(status) + ")");
  throw Error("failed on the device: " + status_text(status));
}

Buffers::Buffers(const Device& device) {
  kind_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  kind_.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device.id};
  check(driver().cuMemGetAllocationGranularity(&granule_, &kind_, CU_MEM_ALLOC_GRANULARITY_MINIMUM), "cuMemGetAllocationGranularity");
}

void Buffers::release() {
  for (const Buffer& buffer : buffers_) {
    check(driver().cuMemUnmap(mapping(buffer), buffer.mapped), "cuMemUnmap");
    check(driver().cuMemRelease(buffer.memory), "cuMemRelease");
    check(driver().cuMemAddressFree(buffer.reserved, buffer.mapped + 2 * granule_), "cuMemAddressFree");
  }
  buffers_.clear();
}

Buffers::Fenced Buffers::place(const box::SharedBuffer& shared) {
  const std::uint64_t room = round_up(std::max<std::uint64_t>(shared.bytes, 1), kAlignment);
  Buffer buffer{0, 0, 0, round_up(room, granule_), room, shared.bytes, shared.is_output, shared.is_scratch};
  check(driver().cuMemAddressReserve(&buffer.reserved, buffer.mapped + 2 * granule_, 0, 0, 0), "cuMemAddressReserve");
  check(driver().cuMemCreate(&buffer.memory, buffer.mapped, &kind_, 0), "cuMemCreate");
  check(driver().cuMemMap(mapping(buffer), buffer.mapped, 0, buffer.memory, 0), "cuMemMap");
  const CUmemAccessDesc access{kind_.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  check(driver().cuMemSetAccess(mapping(buffer), buffer.mapped, &access, 1), "cuMemSetAccess");
  buffer.payload = mapping(buffer) + buffer.mapped - room;
  buffers_.push_back(buffer);
  return {buffer.mapped - room, buffer.bytes, room - buffer.bytes};
}

void Buffers::write(std::size_t buffer, std::uint64_t at, std::span<const std::byte> from) {
  if (from.empty()) return;
  check(driver().cuMemcpyHtoD(mapping(buffers_[buffer]) + at, from.data(), from.size()), "cuMemcpyHtoD");
}

void Buffers::fill(std::size_t buffer, std::uint64_t at, std::uint64_t bytes, std::uint32_t word) {
  const std::uint64_t words = bytes / sizeof word;
  if (words > 0) check(driver().cuMemsetD32(mapping(buffers_[buffer]) + at, word, words), "cuMemsetD32");
  write(buffer, at + words * sizeof word, std::as_bytes(std::span(&word, 1)).first(bytes % sizeof word));
}

void Buffers::read(std::size_t buffer, std::uint64_t at, std::span<std::byte> to) const {
  if (to.empty()) return;
  check(driver().cuMemcpyDtoH(to.data(), mapping(buffers_[buffer]) + at, to.size()), "cuMemcpyDtoH");
}

}  // namespace assay::cuda
