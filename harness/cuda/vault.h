// SPDX-License-Identifier: Apache-2.0
// What buffers hold, sealed on the device: a kernel that finds a set reads a ChaCha20 stream, and what it writes there turns into noise.
// A key is drawn when a set is sealed, lies in this process, and reaches the device with the launch that uses it, when nothing of a
// candidate's runs: a call sees its own set, never one to come, and no later call can put results in the place of its own.
#pragma once

#include <cuda.h>

#include <array>
#include <cstdint>
#include <vector>

#include "device.h"

namespace assay::cuda {

/// The multiple of `unit` that `bytes` fit into.
inline std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

class Vault {
 public:
  /// In the current context; all work goes to `stream`.
  Vault(const Device& device, CUstream stream);

  /// Memory that calls work in, aligned to 16 bytes. Of what is not kept, every set has other noise.
  struct Place {
    CUdeviceptr at;
    std::uint64_t bytes;
    bool kept;
  };
  /// Forgets all sets.
  void lay_out(std::vector<Place> places);
  /// From the places to a set and back. Queued, not waited for.
  void seal(std::uint32_t set);
  void unseal(std::uint32_t set);
  /// Nothing of the places is in the device's cache then, which is full of other data that waits to be written. Queued.
  void evict();

  using Key = std::array<std::uint32_t, 8>;
  /// to = from ^ the key's stream for `place`; the stream alone where `from` is 0. Queued.
  void mask(CUdeviceptr from, CUdeviceptr to, std::uint64_t bytes, const Key& key, std::uint32_t place);

 private:
  struct Set {
    CUdeviceptr memory = 0;
    Key key{};
  };
  std::uint64_t kept_bytes() const;

  CUstream stream_;
  CUfunction mask_, evict_;
  CUdeviceptr written_ = 0;  ///< by evict()
  std::uint64_t written_bytes_;
  std::vector<Place> places_;
  std::vector<Set> sets_;
};

}  // namespace assay::cuda
