// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "copy_box.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

static std::size_t count(Size size) { return size.width * size.height * size.depth; }

static std::size_t index(Size size, std::size_t x, std::size_t y, std::size_t z) { return (z * size.height + y) * size.width + x; }

// Both volumes have room behind them, so that a copy past an end does no other harm.
static void try_one(Size from_size, Place from_at, Size to_size, Place to_at, Size box, cudaError_t result) {
  constexpr std::size_t kRoom = 4096;
  std::vector<float> from(count(from_size) + kRoom), to(count(to_size) + kRoom), got(to.size());
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i + 1);
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = -static_cast<float>(i + 1);
  float* device = nullptr;
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaMalloc(&device, to.size() * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMemcpy(device, to.data(), to.size() * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(copy_box(from.data(), from_size, from_at, device, to_size, to_at, box, stream) == result);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  REQUIRE(cudaMemcpy(got.data(), device, got.size() * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  if (result == cudaSuccess)
    for (std::size_t z = 0; z < box.depth; ++z)
      for (std::size_t y = 0; y < box.height; ++y)
        for (std::size_t x = 0; x < box.width; ++x)
          to[index(to_size, to_at.x + x, to_at.y + y, to_at.z + z)] = from[index(from_size, from_at.x + x, from_at.y + y, from_at.z + z)];
  REQUIRE(got == to);
  cudaGetLastError();
  cudaFree(device);
  cudaStreamDestroy(stream);
}

int main() {
  try_one({8, 8, 8}, {0, 0, 0}, {8, 8, 8}, {0, 0, 0}, {8, 8, 8}, cudaSuccess);
  try_one({7, 5, 3}, {1, 2, 0}, {9, 4, 6}, {3, 1, 2}, {4, 3, 3}, cudaSuccess);
  try_one({33, 17, 9}, {32, 16, 8}, {5, 6, 7}, {4, 5, 6}, {1, 1, 1}, cudaSuccess);
  try_one({100, 3, 2}, {10, 0, 1}, {64, 31, 4}, {1, 7, 3}, {63, 3, 1}, cudaSuccess);
  try_one({3, 40, 20}, {2, 5, 6}, {2, 30, 50}, {1, 3, 9}, {1, 27, 14}, cudaSuccess);
  try_one({1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, cudaSuccess);
  for (int i = 0; i < 200; ++i) {
    const auto draw = [](std::size_t least, std::size_t most) { return least + static_cast<std::size_t>(std::rand()) % (most - least + 1); };
    const Size box = {draw(0, 20), draw(0, 12), draw(0, 7)};
    const Place from_at = {draw(0, 9), draw(0, 9), draw(0, 9)}, to_at = {draw(0, 9), draw(0, 9), draw(0, 9)};
    const Size from_size = {from_at.x + box.width + draw(0, 5), from_at.y + box.height + draw(0, 5), from_at.z + box.depth + draw(0, 5)};
    const Size to_size = {to_at.x + box.width + draw(0, 5), to_at.y + box.height + draw(0, 5), to_at.z + box.depth + draw(0, 5)};
    try_one(from_size, from_at, to_size, to_at, box, cudaSuccess);
  }
  const Size size = {10, 9, 8};
  for (const Size box : {Size{6, 1, 1}, Size{1, 6, 1}, Size{1, 1, 6}, Size{static_cast<std::size_t>(-3), 1, 1}}) {
    try_one(size, {5, 4, 3}, {20, 20, 20}, {0, 0, 0}, box, cudaErrorInvalidValue);
    try_one({20, 20, 20}, {0, 0, 0}, size, {5, 4, 3}, box, cudaErrorInvalidValue);
  }
  REQUIRE(cudaGetLastError() == cudaSuccess);
  std::puts("all right");
}
