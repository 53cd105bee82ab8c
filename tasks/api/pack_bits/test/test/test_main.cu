// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "pack_bits.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

// Behind the last flag, all bytes are set. `shift`: the flags begin at any byte.
static void try_one(std::size_t count, int percent, int kinds, std::size_t shift) {
  constexpr std::uint32_t kFence = 0xdeadbeef;
  std::vector<unsigned char> flags(count + shift + 64, 255);
  std::vector<std::uint32_t> right((count + 31) / 32, 0), got((count + 31) / 32 + 1);
  for (std::size_t i = 0; i < count; ++i) {
    flags[shift + i] = static_cast<unsigned char>(std::rand() % 100 < percent ? 1 + std::rand() % kinds : 0);
    if (flags[shift + i] != 0) right[i / 32] |= std::uint32_t{1} << i % 32;
  }
  right.push_back(kFence);
  unsigned char* device_flags = nullptr;
  std::uint32_t* words = nullptr;
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaMalloc(&device_flags, flags.size()) == cudaSuccess);
  REQUIRE(cudaMalloc(&words, got.size() * sizeof(std::uint32_t)) == cudaSuccess);
  REQUIRE(cudaMemcpy(device_flags, flags.data(), flags.size(), cudaMemcpyHostToDevice) == cudaSuccess);
  got.assign(got.size(), kFence);
  REQUIRE(cudaMemcpy(words, got.data(), got.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(pack_bits(device_flags + shift, count, words, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  REQUIRE(cudaMemcpy(got.data(), words, got.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(got == right);
  cudaFree(device_flags);
  cudaFree(words);
  cudaStreamDestroy(stream);
}

int main() {
  for (const std::size_t count : {0, 1, 5, 31, 32, 33, 255, 256, 257, 1000, 100003})
    for (const int percent : {0, 3, 50, 100})
      for (const int kinds : {1, 255}) {
        try_one(count, percent, kinds, 0);
        try_one(count, percent, kinds, 3);
      }
  try_one(20000001, 30, 255, 0);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  std::puts("all right");
}
