// SPDX-License-Identifier: Apache-2.0
// A cubin on its device: buffers, and launches as the judge spells them.
#pragma once

#include <cuda.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "assay/box/device_kernels.h"
#include "device.h"
#include "graph.h"
#include "vault.h"

namespace assay::cuda {

class Kernels : public box::DeviceKernels {
 public:
  /// Loads the cubin into the current context. Throws Error where it lacks a kernel or does not fit the device.
  Kernels(const Device& device, const std::filesystem::path& binary, std::vector<std::string> names);

  void upload() override;
  std::uint64_t run(std::span<const wire::Launch> launches) override;
  /// A program with variables is loaded anew for each call, which is no part of a batch.
  std::uint32_t batches() const override { return keeps_state_ ? 1 : wire::kMaxSets; }
  void batch(std::span<const wire::Launch> launches, std::span<std::uint64_t> nanoseconds) override;

 private:
  struct Kernel {
    CUfunction function;
    std::vector<std::size_t> parameters;  ///< bytes of each
    std::uint64_t shared_bytes;           ///< dynamic ones that it may have
  };
  /// Addresses that are reserved: a granule, then the mapped memory, then a granule. The payload ends where the mapping does.
  struct Buffer {
    CUdeviceptr reserved, payload;
    CUmemGenericAllocationHandle memory;
    std::size_t mapped, room, bytes;
    bool is_scratch;
  };
  void release() override;
  Fenced place(const box::SharedBuffer& shared) override;
  void write(std::size_t buffer, std::uint64_t at, std::span<const std::byte> from) override;
  void read(std::size_t buffer, std::uint64_t at, std::span<std::byte> to) const override;
  void seal(std::uint32_t set) override;
  void unseal(std::uint32_t set) override;
  void make_ready(std::span<const wire::Launch> launches) override;
  CUdeviceptr mapping(const Buffer& buffer) const { return buffer.reserved + granule_; }

  void load();
  Kernel find(const std::string& name) const;
  Vault& vault();
  const Graph& graph_of(std::span<const wire::Launch> launches);
  void enqueue(const wire::Launch& launch);
  void launch(Kernel& kernel, const std::string& name, const wire::Launch& launch);

  Device device_;
  std::vector<std::string> names_;
  std::string binary_;
  bool keeps_state_;  ///< the program has memory of its own
  CUmemAllocationProp kind_{};
  std::size_t granule_ = 0;
  CUmodule module_ = nullptr;
  CUstream stream_ = nullptr;
  CUevent begin_ = nullptr, end_ = nullptr;
  std::vector<Kernel> kernels_;
  std::vector<Buffer> buffers_;
  std::unique_ptr<Vault> vault_;        ///< from the first set on
  bool laid_out_ = false;               ///< the vault knows the buffers
  std::unique_ptr<Graph> call_, none_;  ///< of graphed_, and of no launches
  std::vector<wire::Launch> graphed_;
};

}  // namespace assay::cuda
