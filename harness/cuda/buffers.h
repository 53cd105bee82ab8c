// SPDX-License-Identifier: Apache-2.0
// Buffers on the device: each is mapped by itself, and nothing is mapped beside it.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <span>
#include <vector>

#include "assay/box/device_kernels.h"
#include "device.h"

namespace assay::cuda {

/// Throws box::UnmappedAccess for an illegal address, Error for what else went wrong in a call.
[[noreturn]] void fail_on_device(CUresult status);

class Buffers : public box::DeviceKernels {
 public:
  /// In the current context.
  explicit Buffers(const Device& device);

 protected:
  /// Addresses that are reserved: a granule, then the mapped memory, then a granule. The payload ends where the mapping does.
  struct Buffer {
    CUdeviceptr reserved, payload;
    CUmemGenericAllocationHandle memory;
    std::size_t mapped, room, bytes;
    bool is_output, is_scratch;
  };
  const std::vector<Buffer>& buffers() const { return buffers_; }
  CUdeviceptr mapping(const Buffer& buffer) const { return buffer.reserved + granule_; }

  void release() override;
  Fenced place(const box::SharedBuffer& shared) override;
  void write(std::size_t buffer, std::uint64_t at, std::span<const std::byte> from) override;
  void fill(std::size_t buffer, std::uint64_t at, std::uint64_t bytes, std::uint32_t word) override;
  void read(std::size_t buffer, std::uint64_t at, std::span<std::byte> to) const override;

 private:
  CUmemAllocationProp kind_{};
  std::size_t granule_ = 0;
  std::vector<Buffer> buffers_;
};

}  // namespace assay::cuda
