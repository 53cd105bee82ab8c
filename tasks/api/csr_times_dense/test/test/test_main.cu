// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "csr_times_dense.h"

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

static std::vector<float> from_device(const float* array, std::size_t count) {
  std::vector<float> numbers(count);
  REQUIRE(cudaMemcpy(numbers.data(), array, count * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  return numbers;
}

// Integers, and so exact. `percent` of the places are filled, one of them at least; each third row is empty.
static void try_one(int rows, int columns, int percent, int n, int b_more, int c_more) {
  const int b_pitch = n + b_more, c_pitch = n + c_more;
  std::vector<int> offsets = {0}, indices;
  std::vector<float> values, b(static_cast<std::size_t>(columns) * b_pitch), c(static_cast<std::size_t>(rows) * c_pitch);
  for (int r = 0; r < rows; ++r) {
    for (int column = 0; column < columns && r % 3 != 1; ++column)
      if (std::rand() % 100 < percent || (r == 0 && column + 1 == columns)) {
        indices.push_back(column);
        values.push_back(static_cast<float>(std::rand() % 9 - 4));
      }
    offsets.push_back(static_cast<int>(indices.size()));
  }
  for (float& number : b) number = static_cast<float>(std::rand() % 9 - 4);
  for (float& number : c) number = static_cast<float>(std::rand() % 9 + 10000);
  std::vector<float> right = c;
  for (int r = 0; r < rows; ++r)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int i = offsets[r]; i < offsets[r + 1]; ++i) sum += values[i] * b[static_cast<std::size_t>(indices[i]) * b_pitch + j];
      right[static_cast<std::size_t>(r) * c_pitch + j] = sum;
    }
  int *device_offsets = on_device(offsets), *device_indices = on_device(indices);
  float *device_values = on_device(values), *device_b = on_device(b), *device_c = on_device(c);
  const Csr a = {rows, columns, static_cast<int>(indices.size()), device_offsets, device_indices, device_values};
  REQUIRE(csr_times_dense(a, device_b, b_pitch, n, device_c, c_pitch) == CUSPARSE_STATUS_SUCCESS);
  REQUIRE(from_device(device_c, c.size()) == right);
  REQUIRE(from_device(device_b, b.size()) == b);
  for (void* array : {static_cast<void*>(device_offsets), static_cast<void*>(device_indices), static_cast<void*>(device_values), static_cast<void*>(device_b),
                      static_cast<void*>(device_c)})
    cudaFree(array);
}

int main() {
  for (const int rows : {1, 50, 301})
    for (const int columns : {1, 33, 200})
      for (const int percent : {0, 5, 100})
        for (const int n : {1, 29}) {
          try_one(rows, columns, percent, n, 0, 0);
          try_one(rows, columns, percent, n, 3, 0);
          try_one(rows, columns, percent, n, 1, 10);
        }
  std::puts("all right");
}
