// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "convolve_circular.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

static float* on_device(const std::vector<float>& numbers) {
  float* array = nullptr;
  REQUIRE(cudaMalloc(&array, numbers.size() * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMemcpy(array, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  return array;
}

static std::vector<float> from_device(const float* array, std::size_t count) {
  std::vector<float> numbers(count);
  REQUIRE(cudaMemcpy(numbers.data(), array, count * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  return numbers;
}

// The rounding of transforms grows with the norms of both arrays, and they with the square root of the count.
static void try_one(int rows, int columns) {
  constexpr float kFence = 4321;
  const int count = rows * columns;
  std::vector<float> image(count), filter(count), out(count + 1, kFence);
  for (float& number : image) number = static_cast<float>(std::rand() % 2001 - 900) / 1000;
  for (float& number : filter) number = static_cast<float>(std::rand() % 2001 - 900) / 1000;
  float *device_image = on_device(image), *device_filter = on_device(filter), *device_out = on_device(out);
  REQUIRE(convolve_circular(device_image, device_filter, rows, columns, device_out) == CUFFT_SUCCESS);
  const std::vector<float> got = from_device(device_out, out.size());
  REQUIRE(from_device(device_image, image.size()) == image && from_device(device_filter, filter.size()) == filter);
  REQUIRE(got.back() == kFence);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      double sum = 0;
      for (int i = 0; i < rows; ++i) {
        const int row = r >= i ? r - i : r - i + rows;
        for (int j = 0; j < columns; ++j)
          sum += static_cast<double>(image[row * columns + (c >= j ? c - j : c - j + columns)]) * static_cast<double>(filter[i * columns + j]);
      }
      REQUIRE(std::abs(got[r * columns + c] - sum) <= 1e-5 + 2e-6 * count);
    }
  for (float* array : {device_image, device_filter, device_out}) cudaFree(array);
}

int main() {
  const int sizes[][2] = {{2, 2}, {2, 3}, {3, 2}, {8, 8}, {3, 8}, {8, 3}, {5, 7}, {16, 45}, {37, 31}, {64, 20}, {50, 50}};
  for (const auto& size : sizes) try_one(size[0], size[1]);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  std::puts("all right");
}
