// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "window_sums.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

// Behind the numbers there are others, which belong to no window.
static void try_one(int count, int radius) {
  constexpr int kFence = 1000000007;
  std::vector<int> numbers(count + 64), right(count + 1, kFence), got(count + 1, kFence);
  for (int& number : numbers) number = std::rand() % 2001 - 900;
  std::vector<int> before(count + 1, 0);
  for (int i = 0; i < count; ++i) before[i + 1] = before[i] + numbers[i];
  for (int i = 0; i < count; ++i) right[i] = before[std::min(count, i + radius + 1)] - before[std::max(0, i - radius)];
  int *device = nullptr, *sums = nullptr;
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaMalloc(&device, numbers.size() * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMalloc(&sums, got.size() * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemcpy(device, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy(sums, got.data(), got.size() * sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(window_sums(device, count, radius, sums, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  REQUIRE(cudaMemcpy(got.data(), sums, got.size() * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(got == right);
  cudaFree(device);
  cudaFree(sums);
  cudaStreamDestroy(stream);
}

int main() {
  for (const int count : {0, 1, 2, 100, 255, 256, 257, 1000, 20011})
    for (const int radius : {0, 1, 2, 31, 128, 1000}) try_one(count, radius);
  // More than 48 KiB of shared memory; then few numbers again.
  for (const int count : {1, 300, 15001, 40000})
    for (const int radius : {6100, 7500, 3}) try_one(count, radius);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  std::puts("all right");
}
