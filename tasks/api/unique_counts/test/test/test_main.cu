// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include "unique_counts.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

static void try_one(std::size_t count, int kinds) {
  std::vector<int> keys(count);
  std::map<int, int> right;
  for (int& key : keys) ++right[key = std::rand() % kinds - kinds / 2];
  int *device_keys = nullptr, *unique = nullptr, *times = nullptr;
  for (int** array : {&device_keys, &unique, &times}) REQUIRE(cudaMalloc(array, (count + 1) * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemcpy(device_keys, keys.data(), count * sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess);
  const std::size_t found = unique_counts(device_keys, count, unique, times);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(found == right.size());
  std::vector<int> got(count), how_often(count), after(count);
  REQUIRE(cudaMemcpy(got.data(), unique, found * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaMemcpy(how_often.data(), times, found * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaMemcpy(after.data(), device_keys, count * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(after == keys);
  std::size_t i = 0;
  for (const auto& [key, number] : right) {
    REQUIRE(got[i] == key && how_often[i] == number);
    ++i;
  }
  for (int* array : {device_keys, unique, times}) cudaFree(array);
}

int main() {
  for (const std::size_t count : {0, 1, 2, 100, 65537})
    for (const int kinds : {1, 2, 50, 1000000}) try_one(count, kinds);
  std::puts("all right");
}
