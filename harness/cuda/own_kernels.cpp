// SPDX-License-Identifier: Apache-2.0
#include "own_kernels.h"

#include <cstdlib>

#include "driver.h"

namespace assay::cuda {
namespace {

/// A cubin runs on devices of its generation that are no older.
const BuiltKernels* best_for(int architecture) {
  const BuiltKernels* best = nullptr;
  for (const BuiltKernels& built : built_kernels())
    if (built.architecture / 10 == architecture / 10 && built.architecture <= architecture &&
        (best == nullptr || built.architecture > best->architecture))
      best = &built;
  return best;
}

}  // namespace

CUmodule load_own_kernels(const Device& device) {
  const BuiltKernels* built = best_for(std::atoi(device.architecture.c_str() + 3));
  if (built == nullptr)
    throw Error("this program has no code of its own for " + device.architecture +
                ". do: build it with a CUDA toolkit that knows the device");
  CUmodule module = nullptr;
  check(driver().cuModuleLoadData(&module, built->cubin.data()), "cuModuleLoadData");
  return module;
}

CUfunction own_kernel(CUmodule own, const char* name) {
  CUfunction function = nullptr;
  check(driver().cuModuleGetFunction(&function, own, name), name);
  return function;
}

void launch_own(CUfunction kernel, std::uint64_t blocks, void** arguments, CUstream stream) {
  CUlaunchConfig config{};
  config.gridDimX = static_cast<unsigned>(blocks);
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = kOwnThreads;
  config.hStream = stream;
  check(driver().cuLaunchKernelEx(&config, kernel, arguments, nullptr), "cuLaunchKernelEx");
}

}  // namespace assay::cuda
