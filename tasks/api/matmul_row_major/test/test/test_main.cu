// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "matmul_row_major.h"

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

// Integers, and so exact whatever the order of the sums is.
static void try_one(cublasHandle_t handle, int m, int n, int k, float beta) {
  std::vector<float> a(m * k), b(k * n), c(m * n), got(m * n);
  for (float& number : a) number = static_cast<float>(std::rand() % 9 - 4);
  for (float& number : b) number = static_cast<float>(std::rand() % 9 - 4);
  for (float& number : c) number = beta == 0 ? NAN : static_cast<float>(std::rand() % 9 - 4);
  float *device_a = on_device(a), *device_b = on_device(b), *device_c = on_device(c);
  REQUIRE(matmul_row_major(handle, device_a, device_b, beta, device_c, m, n, k) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cudaMemcpy(got.data(), device_c, got.size() * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = beta == 0 ? 0 : beta * c[i * n + j];
      for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
      REQUIRE(got[i * n + j] == sum);
    }
  for (float* array : {device_a, device_b, device_c}) cudaFree(array);
}

int main() {
  cublasHandle_t handle;
  REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  for (const int m : {1, 2, 33, 128})
    for (const int n : {1, 5, 64})
      for (const int k : {1, 7, 100})
        for (const float beta : {0.0F, 1.0F, -2.0F}) try_one(handle, m, n, k, beta);
  cublasDestroy(handle);
  std::puts("all right");
}
