// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "philox_uniforms.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

// The 128 bits that Philox4x32-10 makes of a counter: the number of four words in the subsequence, and of the subsequence.
static void philox(std::uint64_t seed, std::uint64_t subsequence, std::uint64_t four, std::uint32_t words[4]) {
  std::uint32_t key[2] = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  words[0] = static_cast<std::uint32_t>(four);
  words[1] = static_cast<std::uint32_t>(four >> 32);
  words[2] = static_cast<std::uint32_t>(subsequence);
  words[3] = static_cast<std::uint32_t>(subsequence >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t even = std::uint64_t{0xD2511F53} * words[0], odd = std::uint64_t{0xCD9E8D57} * words[2];
    const std::uint32_t first = static_cast<std::uint32_t>(odd >> 32) ^ words[1] ^ key[0], third = static_cast<std::uint32_t>(even >> 32) ^ words[3] ^ key[1];
    words[1] = static_cast<std::uint32_t>(odd);
    words[3] = static_cast<std::uint32_t>(even);
    words[0] = first;
    words[2] = third;
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
}

static void try_one(std::uint64_t seed, std::uint64_t first, int walkers, int draws) {
  constexpr float kFence = -3;
  const std::size_t count = static_cast<std::size_t>(walkers) * draws;
  std::vector<float> got(count + 1, kFence);
  float* device = nullptr;
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaMalloc(&device, got.size() * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMemcpy(device, got.data(), got.size() * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(philox_uniforms(seed, first, walkers, draws, device, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  REQUIRE(cudaMemcpy(got.data(), device, got.size() * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(got[count] == kFence);
  for (int walker = 0; walker < walkers; ++walker)
    for (int i = 0; i < draws; ++i) {
      std::uint32_t words[4];
      philox(seed, first + walker, i / 4, words);
      const double right = (words[i % 4] + 0.5) / 4294967296.0;
      REQUIRE(std::abs(got[static_cast<std::size_t>(walker) * draws + i] - right) <= 2e-7);
    }
  cudaFree(device);
  cudaStreamDestroy(stream);
}

int main() {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{20261125}, std::uint64_t{0xfedcba9876543210}})
    for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000003}, std::uint64_t{0xfffffff0}, std::uint64_t{1} << 40})
      for (const int walkers : {0, 1, 33, 257})
        for (const int draws : {0, 1, 4, 7, 50}) try_one(seed, first, walkers, draws);
  try_one(7, 7, 100003, 3);
  try_one(8, 9, 3, 100003);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  std::puts("all right");
}
