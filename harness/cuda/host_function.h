// SPDX-License-Identifier: Apache-2.0
// Host code of a candidate that works on the device's memory. It runs in this process: what a timed call needs to be believed is a seal
// (wire.h), which it cannot open before the judge's clock runs, or close before its outputs are there.
#pragma once

#include <cuda.h>

#include <filesystem>

#include "buffers.h"
#include "digests.h"
#include "vault.h"

namespace assay::cuda {

class HostFunction : public Buffers {
 public:
  /// Loads the library; an empty path is none, for calls that seal alone. Throws Error where it has no function.
  HostFunction(const Device& device, const std::filesystem::path& library);

  std::uint64_t run(const box::KernelCall& call) override;
  void touch() override;
  std::uint64_t watch() override;

 private:
  using Function = void (*)(void* const*, const std::int64_t*, void*);

  void finish();
  void unmask(const wire::Seal& seal);
  void digest(std::uint8_t* to);

  Function function_ = nullptr;
  CUstream stream_;
  Vault vault_;  ///< whose cache's other data a call finds
  Digests digests_;
  CUevent begin_ = nullptr, end_ = nullptr;
  CUfunction watch_ = nullptr;
  CUdeviceptr touched_ = 0;
};

}  // namespace assay::cuda
