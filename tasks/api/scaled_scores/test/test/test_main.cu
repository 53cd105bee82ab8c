// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "scaled_scores.h"

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

// Integers, and scales that are powers of two: exact whatever the order of the sums is.
static void try_one(cublasHandle_t handle, int batch, int m, int n, int depth, float scale) {
  constexpr float kFence = 12345;
  std::vector<float> queries(batch * m * depth), keys(batch * n * depth), scores(batch * m * n + 1, NAN), got(scores.size());
  for (float& number : queries) number = static_cast<float>(std::rand() % 9 - 4);
  for (float& number : keys) number = static_cast<float>(std::rand() % 9 - 4);
  scores.back() = kFence;
  float *device_queries = on_device(queries), *device_keys = on_device(keys), *device_scores = on_device(scores);
  REQUIRE(scaled_scores(handle, device_queries, device_keys, device_scores, batch, m, n, depth, scale) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(cudaMemcpy(got.data(), device_scores, got.size() * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int b = 0; b < batch; ++b)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int d = 0; d < depth; ++d) sum += queries[(b * m + i) * depth + d] * keys[(b * n + j) * depth + d];
        REQUIRE(got[(b * m + i) * n + j] == scale * sum);
      }
  REQUIRE(got.back() == kFence);
  for (float* array : {device_queries, device_keys, device_scores}) cudaFree(array);
}

static __host__ __device__ float number_at(unsigned i, unsigned call) {
  const unsigned mixed = (i * 2654435761U) ^ (call * 2246822519U);
  return static_cast<float>((mixed ^ mixed >> 15) % 9) - 4;
}

static __global__ void fill(float* numbers, unsigned count, unsigned call) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] = number_at(i, call);
}

// One score in `step`, beginning elsewhere in each call.
static __global__ void check(const float* scores, unsigned count, unsigned step, int m, int n, int depth, float scale, unsigned call, int* faults) {
  const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * step + call % step;
  if (i >= count) return;
  const unsigned query = i / n, key = i / n / m * n + i % n;
  float sum = 0;
  for (int d = 0; d < depth; ++d) sum += number_at(query * depth + d, call) * number_at(key * depth + d, call + 1000000);
  if (scores[i] != scale * sum) *faults = 1;
}

/// What `--perf` times: many calls, each with other numbers.
static int benchmark(cublasHandle_t handle) {
  constexpr int kBatch = 64, kM = 1024, kN = 1000, kDepth = 64, kCalls = 2500;
  constexpr unsigned kQueries = kBatch * kM * kDepth, kKeys = kBatch * kN * kDepth, kScores = kBatch * kM * kN, kStep = 499;
  constexpr float kScale = 0.125F;
  float *queries = nullptr, *keys = nullptr, *scores = nullptr;
  int *faults = nullptr, found = -1;
  REQUIRE(cudaMalloc(&queries, kQueries * sizeof(float)) == cudaSuccess && cudaMalloc(&keys, kKeys * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMalloc(&scores, kScores * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMalloc(&faults, sizeof(int)) == cudaSuccess && cudaMemset(faults, 0, sizeof(int)) == cudaSuccess);
  for (unsigned call = 0; call < kCalls; ++call) {
    fill<<<(kQueries + 255) / 256, 256>>>(queries, kQueries, call);
    fill<<<(kKeys + 255) / 256, 256>>>(keys, kKeys, call + 1000000);
    REQUIRE(scaled_scores(handle, queries, keys, scores, kBatch, kM, kN, kDepth, kScale) == CUBLAS_STATUS_SUCCESS);
    check<<<(kScores / kStep + 256) / 256, 256>>>(scores, kScores, kStep, kM, kN, kDepth, kScale, call, faults);
  }
  REQUIRE(cudaMemcpy(&found, faults, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess && found == 0);
  return 0;
}

int main(int count, char** arguments) {
  cublasHandle_t handle;
  REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  if (count > 1 && std::strcmp(arguments[1], "--perf") == 0) return benchmark(handle);
  for (const int batch : {1, 2, 5})
    for (const int m : {1, 3, 64})
      for (const int n : {1, 7, 100})
        for (const int depth : {1, 8, 33})
          for (const float scale : {1.0F, -0.25F}) try_one(handle, batch, m, n, depth, scale);
  // The handle keeps its stream.
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess && cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS);
  try_one(handle, 3, 20, 30, 40, 2);
  cudaStream_t after = nullptr;
  REQUIRE(cublasGetStream(handle, &after) == CUBLAS_STATUS_SUCCESS && after == stream);
  cublasDestroy(handle);
  cudaStreamDestroy(stream);
  std::puts("all right");
}
