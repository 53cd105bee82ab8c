// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "device_limits.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

static int attribute(cudaDeviceAttr which, int device) {
  int value = -1;
  REQUIRE(cudaDeviceGetAttribute(&value, which, device) == cudaSuccess);
  return value;
}

static void describes(int device) {
  DeviceLimits limits;
  std::memset(&limits, 0x5a, sizeof limits);
  REQUIRE(device_limits(device, &limits) == cudaSuccess);
  REQUIRE(limits.compute_capability == 10 * attribute(cudaDevAttrComputeCapabilityMajor, device) + attribute(cudaDevAttrComputeCapabilityMinor, device));
  const int processors = attribute(cudaDevAttrMultiProcessorCount, device);
  REQUIRE(limits.multiprocessors == processors);
  REQUIRE(limits.resident_threads == static_cast<long long>(processors) * attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device));
  REQUIRE(limits.shared_memory == attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, device) == cudaSuccess);
  REQUIRE(limits.memory == properties.totalGlobalMem);
}

static void refuses(int device) {
  DeviceLimits limits, before;
  std::memset(&before, 0x5a, sizeof before);
  std::memcpy(&limits, &before, sizeof before);
  REQUIRE(device_limits(device, &limits) == cudaErrorInvalidDevice);
  REQUIRE(std::memcmp(&limits, &before, sizeof before) == 0);
  REQUIRE(cudaGetLastError() == cudaSuccess);
}

int main() {
  int devices = 0, current = -1;
  REQUIRE(cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0);
  REQUIRE(cudaSetDevice(devices - 1) == cudaSuccess);
  for (int device = 0; device < devices; ++device) describes(device);
  refuses(-1);
  refuses(devices);
  refuses(devices + 1000);
  describes(0);
  REQUIRE(cudaGetDevice(&current) == cudaSuccess && current == devices - 1);
  std::puts("all right");
}
