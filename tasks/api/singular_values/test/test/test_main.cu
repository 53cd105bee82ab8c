// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "singular_values.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

using Numbers = std::vector<double>;

static double drawn() { return std::rand() / (RAND_MAX + 1.0) - 0.5; }

static double* on_device(const Numbers& numbers) {
  double* array = nullptr;
  REQUIRE(cudaMalloc(&array, numbers.size() * sizeof(double)) == cudaSuccess);
  REQUIRE(cudaMemcpy(array, numbers.data(), numbers.size() * sizeof(double), cudaMemcpyHostToDevice) == cudaSuccess);
  return array;
}

static Numbers from_device(const double* array, std::size_t count) {
  Numbers numbers(count);
  REQUIRE(cudaMemcpy(numbers.data(), array, count * sizeof(double), cudaMemcpyDeviceToHost) == cudaSuccess);
  return numbers;
}

/// Reflects each of `lines` vectors of `length` numbers in one plane, which changes no singular value. A vector's numbers are `step` apart.
static void reflect(Numbers& a, int length, int step, int lines, int line_step) {
  Numbers normal(length);
  double square = 0;
  for (double& number : normal) {
    number = drawn();
    square += number * number;
  }
  for (int line = 0; line < lines; ++line) {
    double product = 0;
    for (int i = 0; i < length; ++i) product += normal[i] * a[line * line_step + i * step];
    for (int i = 0; i < length; ++i) a[line * line_step + i * step] -= 2 * product / square * normal[i];
  }
}

// A diagonal of known numbers, turned from both sides.
static void try_one(int m, int n, double least, double most, int zeros) {
  constexpr double kFence = -99;
  const int values = std::min(m, n);
  Numbers right(values), a(static_cast<std::size_t>(m) * n, 0);
  for (double& value : right) value = least + (drawn() + 0.5) * (most - least);
  for (int i = 0; i < std::min(zeros, values); ++i) right[i] = 0;
  for (int i = 0; i < values; ++i) a[static_cast<std::size_t>(i) * m + i] = i % 2 == 0 ? right[i] : -right[i];
  for (int turn = 0; turn < 4; ++turn) {
    reflect(a, m, 1, n, m);
    reflect(a, n, m, m, 1);
  }
  std::sort(right.rbegin(), right.rend());
  double *device = on_device(a), *device_values = on_device(Numbers(values + 1, kFence));
  REQUIRE(singular_values(device, m, n, device_values) == 0);
  const Numbers got = from_device(device_values, values + 1);
  REQUIRE(from_device(device, a.size()) == a);
  for (int i = 0; i < values; ++i) REQUIRE(std::abs(got[i] - right[i]) <= 1e-11 * (m + n) * most);
  REQUIRE(got[values] == kFence);
  cudaFree(device);
  cudaFree(device_values);
}

int main() {
  const int sizes[][2] = {{1, 1}, {5, 1}, {1, 5}, {2, 2}, {7, 7}, {40, 13}, {13, 40}, {64, 65}, {120, 100}, {30, 300}};
  for (const auto& size : sizes) {
    try_one(size[0], size[1], 0.5, 3, 0);
    try_one(size[0], size[1], 100, 2000, 0);
    try_one(size[0], size[1], 1, 2, 3);
  }
  REQUIRE(cudaGetLastError() == cudaSuccess);
  std::puts("all right");
}
