// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "csr_times_vector.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

template <class T>
static T* on_device(const std::vector<T>& numbers) {
  T* array = nullptr;
  REQUIRE(cudaMalloc(&array, (numbers.size() + 1) * sizeof(T)) == cudaSuccess);
  REQUIRE(cudaMemcpy(array, numbers.data(), numbers.size() * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
  return array;
}

// Integers, and so exact. `percent` of the places are filled; each third row is empty.
static void try_one(int rows, int columns, int percent, float alpha, float beta) {
  std::vector<int> offsets = {0}, indices;
  std::vector<float> values, x(columns), y(rows), got(rows);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns && r % 3 != 1; ++c)
      if (std::rand() % 100 < percent) {
        indices.push_back(c);
        values.push_back(static_cast<float>(std::rand() % 9 - 4));
      }
    offsets.push_back(static_cast<int>(indices.size()));
  }
  for (float& number : x) number = static_cast<float>(std::rand() % 9 - 4);
  for (float& number : y) number = static_cast<float>(std::rand() % 9 - 4);
  int *device_offsets = on_device(offsets), *device_indices = on_device(indices);
  float *device_values = on_device(values), *device_x = on_device(x), *device_y = on_device(y);
  REQUIRE(csr_times_vector(rows, columns, static_cast<int>(indices.size()), device_offsets, device_indices, device_values, alpha, device_x, beta, device_y) ==
          CUSPARSE_STATUS_SUCCESS);
  REQUIRE(cudaMemcpy(got.data(), device_y, got.size() * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int i = offsets[r]; i < offsets[r + 1]; ++i) sum += values[i] * x[indices[i]];
    REQUIRE(got[r] == alpha * sum + beta * y[r]);
  }
  for (void* array : {static_cast<void*>(device_offsets), static_cast<void*>(device_indices), static_cast<void*>(device_values), static_cast<void*>(device_x),
                      static_cast<void*>(device_y)})
    cudaFree(array);
}

int main() {
  for (const int rows : {1, 2, 50, 1000})
    for (const int columns : {1, 33, 400})
      for (const int percent : {0, 5, 100}) {
        try_one(rows, columns, percent, 1, 0);
        try_one(rows, columns, percent, 2, -1);
      }
  std::puts("all right");
}
