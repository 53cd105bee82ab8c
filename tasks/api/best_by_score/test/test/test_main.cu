// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "best_by_score.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

static void try_one(std::size_t count, std::size_t k, int kinds) {
  constexpr int kFence = -7;
  std::vector<float> scores(count), after(count);
  for (float& score : scores) score = static_cast<float>(std::rand() % kinds - kinds / 2) / 4;
  std::vector<int> right(count);
  std::iota(right.begin(), right.end(), 0);
  std::stable_sort(right.begin(), right.end(), [&](int a, int b) { return scores[a] > scores[b]; });
  right.resize(std::min(count, k));
  std::vector<int> got(right.size() + 1, kFence);
  float* device = nullptr;
  int* best = nullptr;
  REQUIRE(cudaMalloc(&device, (count + 1) * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMalloc(&best, got.size() * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemcpy(device, scores.data(), count * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy(best, got.data(), got.size() * sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(best_by_score(device, count, k, best) == right.size());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(cudaMemcpy(got.data(), best, got.size() * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaMemcpy(after.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  right.push_back(kFence);
  REQUIRE(got == right);
  REQUIRE(after == scores);
  cudaFree(device);
  cudaFree(best);
}

int main() {
  for (const std::size_t count : {0, 1, 2, 100, 1025, 65537})
    for (const std::size_t k : {0, 1, 7, 1025, 100000})
      for (const int kinds : {1, 5, 1000, 10000000}) try_one(count, k, kinds);
  std::puts("all right");
}
