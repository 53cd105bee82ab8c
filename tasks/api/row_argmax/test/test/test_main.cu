// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "row_argmax.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

static void try_one(int rows, int cols, int kinds, float shift) {
  std::vector<float> matrix(static_cast<std::size_t>(rows) * cols);
  for (float& number : matrix) number = static_cast<float>(std::rand() % kinds) + shift;
  std::vector<int> right(rows), got(rows + 1);
  for (int r = 0; r < rows; ++r)
    for (int c = 1; c < cols; ++c)
      if (matrix[static_cast<std::size_t>(r) * cols + c] > matrix[static_cast<std::size_t>(r) * cols + right[r]]) right[r] = c;
  float* x = nullptr;
  int* index = nullptr;
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaMalloc(&x, matrix.size() * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMalloc(&index, got.size() * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemcpy(x, matrix.data(), matrix.size() * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemset(index, 0xff, got.size() * sizeof(int)) == cudaSuccess);
  row_argmax(x, rows, cols, index, stream);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  REQUIRE(cudaMemcpy(got.data(), index, got.size() * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(got[rows] == -1);
  for (int r = 0; r < rows; ++r) REQUIRE(got[r] == right[r]);
  cudaFree(x);
  cudaFree(index);
  cudaStreamDestroy(stream);
}

int main() {
  for (const int rows : {1, 3, 257})
    for (const int cols : {1, 2, 31, 32, 33, 255, 256, 257, 5000})
      for (const int kinds : {1, 3, 1000000})
        for (const float shift : {0.0F, -2000000.0F}) try_one(rows, cols, kinds, shift);
  try_one(100000, 7, 5, 0);
  try_one(2, 100000, 50, 0);
  std::puts("all right");
}
