// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "wait_for_streams.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

// From ten to some two hundred milliseconds.
static constexpr long long kShort = 20'000'000, kLong = 100'000'000, kVeryLong = 400'000'000;

static __global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

static __global__ void write(int* place, int number) { *place = number; }

static bool is_busy(cudaStream_t stream) {
  const cudaError_t status = cudaStreamQuery(stream);
  REQUIRE(status == cudaSuccess || status == cudaErrorNotReady);
  cudaGetLastError();
  return status == cudaErrorNotReady;
}

// Producer i takes longer than those before it. `shared`: the consumer is one of them.
static void waits_for_all(const std::vector<cudaStream_t>& producers, cudaStream_t consumer, bool shared, int* slots, int* got, int round) {
  const int count = static_cast<int>(producers.size());
  REQUIRE(cudaMemset(slots, 0, 8 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 8; ++i) got[i] = -1;
  for (int i = 0; i < count; ++i) {
    spin<<<1, 1, 0, producers[i]>>>(i + 1 == count ? kLong : kShort);
    write<<<1, 1, 0, producers[i]>>>(slots + i, round + i);
  }
  std::vector<cudaStream_t> asked = producers;
  if (shared) asked.insert(asked.begin(), consumer);
  REQUIRE(wait_for_streams(asked.data(), static_cast<int>(asked.size()), consumer) == cudaSuccess);
  REQUIRE(is_busy(producers.back()));  // the host has not waited
  spin<<<1, 1, 0, producers[0]>>>(kVeryLong);
  REQUIRE(cudaMemcpyAsync(got, slots, 8 * sizeof(int), cudaMemcpyDeviceToHost, consumer) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(consumer) == cudaSuccess);
  for (int i = 0; i < 8; ++i) REQUIRE(got[i] == (i < count ? round + i : 0));
  REQUIRE(is_busy(producers[0]));  // what came later is not waited for
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
}

int main() {
  std::vector<cudaStream_t> streams(5);
  for (cudaStream_t& stream : streams) REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  int *slots = nullptr, *got = nullptr;
  REQUIRE(cudaMalloc(&slots, 8 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMallocHost(&got, 8 * sizeof(int)) == cudaSuccess);
  // Loads the kernels: no launch below waits for that.
  spin<<<1, 1>>>(0);
  write<<<1, 1>>>(slots, 0);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const cudaStream_t consumer = streams.back();
  int round = 10;
  for (const int count : {1, 2, 4})
    for (const bool shared : {false, true}) {
      waits_for_all({streams.begin(), streams.begin() + count}, consumer, shared, slots, got, round);
      round += 10;
    }
  REQUIRE(wait_for_streams(nullptr, 0, consumer) == cudaSuccess);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(slots);
  cudaFreeHost(got);
  std::puts("all right");
}
