// SPDX-License-Identifier: Apache-2.0
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "transpose_pitched.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

static void try_one(int rows, int columns, int in_more, int out_more) {
  constexpr float kFence = -1;
  const std::size_t in_pitch = columns + in_more, out_pitch = rows + out_more;
  std::vector<float> in(in_pitch * rows + 1), right(out_pitch * columns + 1, kFence), got(right.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i + 1);
  float *device_in = nullptr, *device_out = nullptr;
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaMalloc(&device_in, in.size() * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMalloc(&device_out, right.size() * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMemcpy(device_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy(device_out, right.data(), right.size() * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) right[c * out_pitch + r] = in[r * in_pitch + c];
  REQUIRE(transpose_pitched(device_in, static_cast<int>(in_pitch), device_out, static_cast<int>(out_pitch), rows, columns, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  REQUIRE(cudaMemcpy(got.data(), device_out, got.size() * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(got == right);
  REQUIRE(cudaMemcpy(right.data(), device_in, sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess && right[0] == in[0]);
  cudaFree(device_in);
  cudaFree(device_out);
  cudaStreamDestroy(stream);
}

static __device__ float number_at(std::size_t i, int call) { return static_cast<float>((i * 2654435761U + call * 40503U) & 0xffffff); }

static __global__ void fill(float* in, std::size_t count, int call) {
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count; i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
    in[i] = number_at(i, call);
}

static __global__ void compare(const float* out, std::size_t rows, std::size_t columns, int call, int* faults) {
  const std::size_t count = rows * columns;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count; i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
    if (out[i] != number_at(i % rows * columns + i / rows, call)) *faults = 1;
}

/// What `--perf` runs: many calls, each with other numbers. Only the calls are in ranges.
static int benchmark() {
  constexpr int kRows = 8192, kColumns = 8191, kCalls = 2000;
  constexpr std::size_t kCount = static_cast<std::size_t>(kRows) * kColumns;
  float *in = nullptr, *out = nullptr;
  int *faults = nullptr, found = -1;
  REQUIRE(cudaMalloc(&in, kCount * sizeof(float)) == cudaSuccess && cudaMalloc(&out, kCount * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMalloc(&faults, sizeof(int)) == cudaSuccess && cudaMemset(faults, 0, sizeof(int)) == cudaSuccess);
  for (int call = 0; call < kCalls; ++call) {
    fill<<<2048, 256>>>(in, kCount, call);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    nvtxRangePushA(call < 3 ? "warm-up" : "bench");
    const cudaError_t result = transpose_pitched(in, kColumns, out, kRows, kRows, kColumns, nullptr);
    const cudaError_t ended = cudaDeviceSynchronize();
    nvtxRangePop();
    REQUIRE(result == cudaSuccess && ended == cudaSuccess);
    compare<<<2048, 256>>>(out, kRows, kColumns, call, faults);
  }
  REQUIRE(cudaMemcpy(&found, faults, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess && found == 0);
  return 0;
}

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "--perf") == 0) return benchmark();
  for (const int rows : {0, 1, 31, 32, 33, 200})
    for (const int columns : {0, 1, 7, 32, 65, 300})
      for (const int more : {0, 5}) {
        try_one(rows, columns, more, 0);
        try_one(rows, columns, 0, 2 * more);
        try_one(rows, columns, more, 3 * more);
      }
  try_one(3000000, 2, 0, 0);  // more tiles than a grid has in y
  try_one(2, 3000000, 1, 1);
  try_one(1501, 2003, 0, 1);
  std::puts("all right");
}
