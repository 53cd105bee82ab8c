// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "scale_to_peak.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

// One number, at `place`, is larger than all others. 0: all are 0.
static void try_one(std::size_t count, std::size_t place, float peak) {
  constexpr float kFence = 54321;
  std::vector<float> numbers(count + 1, kFence), got(count + 1);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = peak == 0 ? 0 : static_cast<float>(std::rand() % 2001 - 1000) / 16;
  if (count > 0) numbers[place] = peak;
  float* device = nullptr;
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaMalloc(&device, numbers.size() * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMemcpy(device, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(scale_to_peak(device, count, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  REQUIRE(cudaMemcpy(got.data(), device, got.size() * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  const float divisor = peak == 0 ? 1 : std::abs(peak);
  for (std::size_t i = 0; i < count; ++i) {
    const float right = numbers[i] / divisor;
    REQUIRE(std::abs(got[i] - right) <= 2e-7F * std::abs(right));
  }
  REQUIRE(got[count] == kFence);
  cudaFree(device);
  cudaStreamDestroy(stream);
}

int main() {
  for (const std::size_t count : {1, 2, 255, 256, 257, 10000, 1000003})
    for (const float peak : {100.0F, -300.0F, 70.5F, 0.0F})
      for (const std::size_t place : {std::size_t{0}, count / 2, count - 1}) try_one(count, place, peak);
  try_one(0, 0, 1);
  // More numbers than threads can be resident, several times.
  for (const std::size_t place : {0, 19999998, 7777777}) try_one(19999999, place, place % 2 == 0 ? 4096.0F : -5000.0F);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  std::puts("all right");
}
