// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

struct DeviceLimits {
  int compute_capability;
  int multiprocessors;
  long long resident_threads;
  int shared_memory;
  std::size_t memory;
};

cudaError_t device_limits(int device, DeviceLimits* limits);
