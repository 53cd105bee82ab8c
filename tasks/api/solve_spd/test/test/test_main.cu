// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "solve_spd.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

static double* on_device(const std::vector<double>& numbers) {
  double* array = nullptr;
  REQUIRE(cudaMalloc(&array, numbers.size() * sizeof(double)) == cudaSuccess);
  REQUIRE(cudaMemcpy(array, numbers.data(), numbers.size() * sizeof(double), cudaMemcpyHostToDevice) == cudaSuccess);
  return array;
}

static std::vector<double> from_device(const double* array, std::size_t count) {
  std::vector<double> numbers(count);
  REQUIRE(cudaMemcpy(numbers.data(), array, count * sizeof(double), cudaMemcpyDeviceToHost) == cudaSuccess);
  return numbers;
}

// M M' + I, and of its upper triangle nothing that a solver may use.
static std::vector<double> positive_definite(int n, std::vector<double>& whole) {
  std::vector<double> m(n * n);
  for (double& number : m) number = std::rand() / (RAND_MAX + 1.0) - 0.5;
  whole.assign(n * n, 0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) whole[j * n + i] += m[k * n + i] * m[k * n + j];
      if (i == j) whole[j * n + i] += 1;
    }
  std::vector<double> given = whole;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) given[j * n + i] = NAN;
  return given;
}

static void solves(int n, int columns) {
  std::vector<double> whole, given = positive_definite(n, whole), b(n * columns);
  for (double& number : b) number = std::rand() / (RAND_MAX + 1.0) - 0.5;
  double *a = on_device(given), *x = on_device(b);
  REQUIRE(solve_spd(a, x, n, columns) == 0);
  const std::vector<double> got = from_device(x, b.size());
  for (int c = 0; c < columns; ++c)
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += whole[j * n + i] * got[c * n + j];
      REQUIRE(std::abs(sum - b[c * n + i]) <= 1e-10 * n);
    }
  cudaFree(a);
  cudaFree(x);
}

static void refuses(int n, int minor) {
  std::vector<double> whole, given = positive_definite(n, whole), b(n, 3);
  given[(minor - 1) * n + minor - 1] = -1;
  double *a = on_device(given), *x = on_device(b);
  REQUIRE(solve_spd(a, x, n, 1) == minor);
  REQUIRE(from_device(x, b.size()) == b);
  cudaFree(a);
  cudaFree(x);
}

int main() {
  for (const int n : {1, 2, 17, 64, 150})
    for (const int columns : {1, 3}) solves(n, columns);
  refuses(1, 1);
  refuses(9, 1);
  refuses(9, 5);
  std::puts("all right");
}
