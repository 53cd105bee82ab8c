// SPDX-License-Identifier: Apache-2.0
// A cubin on its device, and launches as the judge spells them.
#pragma once

#include <cuda.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "buffers.h"
#include "digests.h"
#include "graph.h"
#include "vault.h"

namespace assay::cuda {

class Kernels : public Buffers {
 public:
  /// Loads the cubin into the current context. Throws Error where it lacks a kernel or does not fit the device.
  Kernels(const Device& device, const std::filesystem::path& binary, std::vector<std::string> names);

  void upload(const wire::Fill& fill) override;
  std::uint64_t run(const box::KernelCall& call) override;
  /// A program with variables is loaded anew for each call, which is no part of a batch.
  std::uint32_t batches() const override { return keeps_state_ ? 1 : wire::kMaxSets; }
  void batch(std::span<const wire::Launch> launches, std::span<std::uint64_t> nanoseconds) override;

 private:
  struct Kernel {
    CUfunction function;
    std::vector<std::size_t> parameters;  ///< bytes of each
    std::uint64_t shared_bytes;           ///< dynamic ones that it may have
  };
  void release() override;
  std::vector<std::byte> digests_of(std::size_t buffer) override;
  void seal(std::uint32_t set) override;
  void unseal(std::uint32_t set) override;
  void make_ready(std::span<const wire::Launch> launches) override;

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
  CUmodule module_ = nullptr;
  CUstream stream_ = nullptr;
  CUevent begin_ = nullptr, end_ = nullptr;
  std::vector<Kernel> kernels_;
  std::unique_ptr<Vault> vault_;  ///< from the first set on
  std::unique_ptr<Digests> digests_;
  bool laid_out_ = false;               ///< the vault knows the buffers
  std::unique_ptr<Graph> call_, none_;  ///< of graphed_, and of no launches
  std::vector<wire::Launch> graphed_;
};

}  // namespace assay::cuda
