// SPDX-License-Identifier: Apache-2.0
#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "sort_by_bits.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

using Numbers = std::vector<std::uint32_t>;

static constexpr std::uint32_t kFence = 0xabcdef01;

static __global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

static __host__ __device__ std::uint32_t bits_of(std::uint32_t key, int begin, int end) {
  return end - begin == 32 ? key : key >> begin & ((std::uint32_t{1} << (end - begin)) - 1);
}

static void to_device(const Numbers& numbers, std::uint32_t* array) {
  REQUIRE(cudaMemcpy(array, numbers.data(), numbers.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
}

static Numbers from_device(const std::uint32_t* array, std::size_t count) {
  Numbers numbers(count);
  REQUIRE(cudaMemcpy(numbers.data(), array, count * sizeof(std::uint32_t), cudaMemcpyDeviceToHost) == cudaSuccess);
  return numbers;
}

// `late`: the pairs come only when the stream comes to them.
static void try_one(int count, int begin_bit, int end_bit, bool late, std::mt19937& random) {
  const std::size_t room = static_cast<std::size_t>(count) + 1;
  Numbers keys(room), values(room), right_keys(room, kFence), right_values(room, kFence);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random());
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random());
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return bits_of(keys[a], begin_bit, end_bit) < bits_of(keys[b], begin_bit, end_bit); });
  for (int i = 0; i < count; ++i) {
    right_keys[i] = keys[order[i]];
    right_values[i] = values[order[i]];
  }
  Pairs from = {}, to = {};
  std::uint32_t* pinned = nullptr;
  cudaStream_t stream;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  for (std::uint32_t** array : {&from.keys, &from.values, &to.keys, &to.values}) REQUIRE(cudaMalloc(array, room * sizeof(std::uint32_t)) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, room * sizeof(std::uint32_t)) == cudaSuccess);
  to_device(late ? values : keys, from.keys);
  to_device(values, from.values);
  for (std::uint32_t* array : {to.keys, to.values}) to_device(Numbers(room, kFence), array);

  std::size_t bytes = 0;
  REQUIRE(sort_by_bits(nullptr, &bytes, from, to, count, begin_bit, end_bit, stream) == cudaSuccess && bytes > 0);
  unsigned char *scratch = nullptr, behind[64];
  REQUIRE(cudaMalloc(&scratch, bytes + sizeof behind) == cudaSuccess && cudaMemset(scratch, 0x5a, bytes + sizeof behind) == cudaSuccess);
  std::size_t less = bytes - 1, same = bytes;
  REQUIRE(sort_by_bits(scratch, &less, from, to, count, begin_bit, end_bit, stream) == cudaErrorInvalidValue);
  cudaGetLastError();
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(from_device(to.keys, room) == Numbers(room, kFence) && from_device(to.values, room) == Numbers(room, kFence));
  if (late) {
    std::copy(keys.begin(), keys.end(), pinned);
    spin<<<1, 1, 0, stream>>>(100'000'000);
    REQUIRE(cudaMemcpyAsync(from.keys, pinned, room * sizeof(std::uint32_t), cudaMemcpyHostToDevice, stream) == cudaSuccess);
  }
  REQUIRE(sort_by_bits(scratch, &same, from, to, count, begin_bit, end_bit, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  REQUIRE(from_device(to.keys, room) == right_keys && from_device(to.values, room) == right_values);
  REQUIRE(from_device(from.keys, room) == keys && from_device(from.values, room) == values);
  REQUIRE(cudaMemcpy(behind, scratch + bytes, sizeof behind, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (const unsigned char byte : behind) REQUIRE(byte == 0x5a);
  for (void* array : {static_cast<void*>(from.keys), static_cast<void*>(from.values), static_cast<void*>(to.keys), static_cast<void*>(to.values), static_cast<void*>(scratch)})
    cudaFree(array);
  cudaFreeHost(pinned);
  cudaStreamDestroy(stream);
}

static __host__ __device__ std::uint32_t mixed(std::uint32_t number) {
  number = (number ^ number >> 16) * 0x7feb352dU;
  number = (number ^ number >> 15) * 0x846ca68bU;
  return number ^ number >> 16;
}

static __global__ void fill(Pairs pairs, std::uint32_t count, std::uint32_t call) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  pairs.keys[i] = mixed(i ^ call * 0x9e3779b9U);
  pairs.values[i] = i;
}

// Each pair is one of the input's, and of two neighbours the second one does not belong first: nothing is lost or there twice.
static __global__ void check(Pairs pairs, std::uint32_t count, std::uint32_t call, int begin_bit, int end_bit, int* faults) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  if (pairs.values[i] >= count || pairs.keys[i] != mixed(pairs.values[i] ^ call * 0x9e3779b9U)) *faults = 1;
  if (i + 1 == count) return;
  const std::uint32_t here = bits_of(pairs.keys[i], begin_bit, end_bit), next = bits_of(pairs.keys[i + 1], begin_bit, end_bit);
  if (here > next || (here == next && pairs.values[i] >= pairs.values[i + 1])) *faults = 1;
}

/// What `--perf` runs: many sorts, each of other pairs. Only they are in ranges.
static int benchmark() {
  constexpr int kCount = 16'000'001, kCalls = 800, kBegin = 4, kEnd = 28;
  constexpr unsigned kBlocks = (kCount + 255) / 256;
  Pairs from = {}, to = {};
  int *faults = nullptr, found = -1;
  for (std::uint32_t** array : {&from.keys, &from.values, &to.keys, &to.values}) REQUIRE(cudaMalloc(array, kCount * sizeof(std::uint32_t)) == cudaSuccess);
  REQUIRE(cudaMalloc(&faults, sizeof(int)) == cudaSuccess && cudaMemset(faults, 0, sizeof(int)) == cudaSuccess);
  std::size_t bytes = 0;
  REQUIRE(sort_by_bits(nullptr, &bytes, from, to, kCount, kBegin, kEnd, nullptr) == cudaSuccess && bytes > 0);
  void* scratch = nullptr;
  REQUIRE(cudaMalloc(&scratch, bytes) == cudaSuccess);
  for (int call = 0; call < kCalls; ++call) {
    fill<<<kBlocks, 256>>>(from, kCount, call);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    nvtxRangePushA(call < 3 ? "warm-up" : "bench");
    const cudaError_t result = sort_by_bits(scratch, &bytes, from, to, kCount, kBegin, kEnd, nullptr);
    const cudaError_t ended = cudaDeviceSynchronize();
    nvtxRangePop();
    REQUIRE(result == cudaSuccess && ended == cudaSuccess);
    check<<<kBlocks, 256>>>(to, kCount, call, kBegin, kEnd, faults);
  }
  REQUIRE(cudaMemcpy(&found, faults, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess && found == 0);
  return 0;
}

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "--perf") == 0) return benchmark();
  std::mt19937 random(std::random_device{}());
  struct Bits {
    int begin, end;
  };
  for (const int pairs : {0, 1, 2, 255, 1000, 100003})
    for (const Bits bits : {Bits{0, 32}, Bits{0, 8}, Bits{8, 11}, Bits{31, 32}, Bits{5, 5}, Bits{3, 29}}) try_one(pairs, bits.begin, bits.end, false, random);
  for (const int pairs : {1000, 100003}) try_one(pairs, 3, 29, true, random);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  std::puts("all right");
}
