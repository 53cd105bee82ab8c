// SPDX-License-Identifier: Apache-2.0
// BLAKE2b digests of what lies on the device, made there (wire::kDigestPart).
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device.h"

namespace assay::cuda {

class Digests {
 public:
  /// In the current context; all work goes to `stream`.
  Digests(const Device& device, CUstream stream);

  struct Range {
    CUdeviceptr at;  ///< aligned to 16 bytes
    std::uint64_t bytes;
  };
  /// One digest of all: of the ranges' parts, in order, then of each part of these digests, until there is one. Zeros where there is
  /// nothing.
  std::vector<std::byte> of_all(std::span<const Range> ranges);
  /// Of each `levels` levels' parts of one range: 256 bytes have a digest of 32, so at 3 levels 16 KiB have one.
  std::vector<std::byte> of_pieces(Range range, int levels);

 private:
  CUdeviceptr queue(Range range, CUdeviceptr to);
  CUdeviceptr room_for(std::uint64_t parts);
  std::vector<std::byte> fetch(CUdeviceptr from, CUdeviceptr end);

  CUstream stream_;
  CUfunction digest_;
  CUdeviceptr memory_ = 0;  ///< of all levels
  std::uint64_t bytes_ = 0;
};

}  // namespace assay::cuda
