// SPDX-License-Identifier: Apache-2.0
#include "device_limits.h"

cudaError_t device_limits(int device, DeviceLimits* limits) {
  cudaDeviceProp properties;
  const cudaError_t result = cudaGetDeviceProperties(&properties, device);
  if (result != cudaSuccess) {
    cudaGetLastError();  // the caller has it from here, and finds no old error later
    return result;
  }
  limits->compute_capability = 10 * properties.major + properties.minor;
  limits->multiprocessors = properties.multiProcessorCount;
  limits->resident_threads = static_cast<long long>(properties.multiProcessorCount) * properties.maxThreadsPerMultiProcessor;
  limits->shared_memory = static_cast<int>(properties.sharedMemPerBlockOptin);
  limits->memory = properties.totalGlobalMem;
  return cudaSuccess;
}
