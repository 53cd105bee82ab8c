// SPDX-License-Identifier: Apache-2.0
// The device code of own_kernels.cu in the current context.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "device.h"

namespace assay::cuda {

/// own_kernels.cu for one architecture: 90 of sm_90.
struct BuiltKernels {
  int architecture;
  std::string_view cubin;
};
/// For all that the toolkit knew (embed.cpp).
std::span<const BuiltKernels> built_kernels();

/// Never unloaded. Throws Error where this program has nothing that runs on the device.
CUmodule load_own_kernels(const Device& device);
CUfunction own_kernel(CUmodule own, const char* name);

/// Threads of a block, of all of them.
inline constexpr unsigned kOwnThreads = 256;
/// Queues one of them with as many blocks of kOwnThreads. `arguments` are addresses, as of cuLaunchKernel.
void launch_own(CUfunction kernel, std::uint64_t blocks, void** arguments, CUstream stream);

}  // namespace assay::cuda
