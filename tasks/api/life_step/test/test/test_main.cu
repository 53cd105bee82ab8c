// SPDX-License-Identifier: Apache-2.0
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "life_step.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

using Cells = std::vector<unsigned char>;

static __host__ __device__ long long inside(long long at, long long size) { return at < 0 ? at + size : at < size ? at : at - size; }

// The cell's state a generation later. The neighbours are counted one by one.
static __host__ __device__ unsigned char later(const unsigned char* cells, long long width, long long height, long long x, long long y) {
  int near = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) near += cells[inside(y + dy, height) * width + inside(x + dx, width)];
  return near == 3 || (near == 2 && cells[y * width + x] == 1);
}

static void try_one(int width, int height, int percent, int generations) {
  constexpr unsigned char kFence = 77;
  const std::size_t count = static_cast<std::size_t>(width) * height;
  Cells cells(count + 1, kFence), right(count + 1, kFence), got(count + 1);
  for (std::size_t i = 0; i < count; ++i) cells[i] = std::rand() % 100 < percent;
  unsigned char *now = nullptr, *next = nullptr;
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  for (unsigned char** array : {&now, &next}) {
    REQUIRE(cudaMalloc(array, count + 1) == cudaSuccess);
    REQUIRE(cudaMemcpy(*array, cells.data(), count + 1, cudaMemcpyHostToDevice) == cudaSuccess);
  }
  for (int generation = 0; generation < generations; ++generation) {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) right[static_cast<std::size_t>(y) * width + x] = later(cells.data(), width, height, x, y);
    REQUIRE(life_step(now, next, width, height, stream) == cudaSuccess);
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    REQUIRE(cudaMemcpy(got.data(), now, count + 1, cudaMemcpyDeviceToHost) == cudaSuccess && got == cells);
    REQUIRE(cudaMemcpy(got.data(), next, count + 1, cudaMemcpyDeviceToHost) == cudaSuccess && got == right);
    std::swap(now, next);
    cells = right;
  }
  cudaFree(now);
  cudaFree(next);
  cudaStreamDestroy(stream);
}

static __global__ void compare(const unsigned char* cells, const unsigned char* next, int width, int height, int* faults) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), y = static_cast<int>(blockIdx.y);
  if (x < width && next[static_cast<std::size_t>(y) * width + x] != later(cells, width, height, x, y)) *faults = 1;
}

/// What `--perf` runs: generation after generation, each of them compared. Only the steps are in ranges.
static int benchmark() {
  constexpr int kWidth = 8191, kHeight = 8192, kGenerations = 3000;
  constexpr std::size_t kCount = static_cast<std::size_t>(kWidth) * kHeight;
  Cells cells(kCount);
  unsigned random = 12345;
  for (unsigned char& cell : cells) cell = (random = random * 1664525U + 1013904223U) >> 30 == 0;
  unsigned char *now = nullptr, *next = nullptr;
  int *faults = nullptr, found = -1;
  REQUIRE(cudaMalloc(&now, kCount) == cudaSuccess && cudaMalloc(&next, kCount) == cudaSuccess);
  REQUIRE(cudaMalloc(&faults, sizeof(int)) == cudaSuccess && cudaMemset(faults, 0, sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemcpy(now, cells.data(), kCount, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int generation = 0; generation < kGenerations; ++generation) {
    nvtxRangePushA(generation < 3 ? "warm-up" : "bench");
    const cudaError_t result = life_step(now, next, kWidth, kHeight, nullptr);
    const cudaError_t ended = cudaDeviceSynchronize();
    nvtxRangePop();
    REQUIRE(result == cudaSuccess && ended == cudaSuccess);
    compare<<<dim3((kWidth - 1) / 256 + 1, kHeight), 256>>>(now, next, kWidth, kHeight, faults);
    std::swap(now, next);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  }
  REQUIRE(cudaMemcpy(&found, faults, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess && found == 0);
  return 0;
}

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "--perf") == 0) return benchmark();
  for (const int width : {1, 2, 3, 16, 33, 257})
    for (const int height : {1, 2, 3, 15, 64, 131}) {
      try_one(width, height, 35, 4);
      try_one(width, height, 100, 2);
    }
  try_one(600, 401, 30, 8);
  try_one(3, 1200007, 40, 1);  // with few rows a block, more blocks than a grid has in y
  try_one(1100009, 2, 40, 1);
  std::puts("all right");
}
