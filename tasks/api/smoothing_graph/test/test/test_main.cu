// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "smoothing_graph.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

static std::vector<float> from_device(const float* array, std::size_t count) {
  std::vector<float> numbers(count);
  REQUIRE(cudaMemcpy(numbers.data(), array, count * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  return numbers;
}

// The graph's stream does not wait for the default stream.
static void to_device(const std::vector<float>& numbers, float* array) {
  REQUIRE(cudaMemcpy(array, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
}

static std::vector<float> drawn(int count) {
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(std::rand() % 255 - 127);
  return numbers;
}

static std::vector<float> smoothed(std::vector<float> numbers, int steps) {
  const int count = static_cast<int>(numbers.size());
  for (int step = 0; step < steps; ++step) {
    const std::vector<float> old = numbers;
    for (int i = 0; i < count; ++i) numbers[i] = (old[i > 0 ? i - 1 : 0] + 2 * old[i] + old[i + 1 < count ? i + 1 : i]) / 4;
  }
  return numbers;
}

// Integers, and divided by 4 at most five times: exact.
static void try_one(int count, int steps) {
  constexpr float kFence = 77777;
  float *numbers = nullptr, *scratch = nullptr;
  cudaStream_t stream;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  for (float** array : {&numbers, &scratch}) REQUIRE(cudaMalloc(array, (count + 1) * sizeof(float)) == cudaSuccess);
  std::vector<float> first = drawn(count + 1);
  first.back() = kFence;
  to_device(first, numbers);
  to_device(first, scratch);
  cudaGraphExec_t graph = nullptr;
  REQUIRE(smoothing_graph(numbers, scratch, count, steps, &graph) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(from_device(numbers, first.size()) == first);  // it has made a graph, and run nothing
  REQUIRE(from_device(scratch, first.size()) == first);
  for (int launch = 0; launch < 3; ++launch) {
    const std::vector<float> old = drawn(count);
    to_device(old, numbers);
    REQUIRE(cudaGraphLaunch(graph, stream) == cudaSuccess);
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    std::vector<float> right = smoothed(old, steps);
    right.push_back(kFence);
    REQUIRE(from_device(numbers, right.size()) == right);
    REQUIRE(from_device(scratch, right.size()).back() == kFence);
  }
  // Twice in turn is twice as many steps.
  if (steps <= 2) {
    const std::vector<float> old = drawn(count);
    to_device(old, numbers);
    for (int launch = 0; launch < 2; ++launch) REQUIRE(cudaGraphLaunch(graph, stream) == cudaSuccess);
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    REQUIRE(from_device(numbers, count) == smoothed(old, 2 * steps));
  }
  REQUIRE(cudaGraphExecDestroy(graph) == cudaSuccess);
  for (float* array : {numbers, scratch}) cudaFree(array);
  cudaStreamDestroy(stream);
}

int main() {
  for (const int count : {1, 2, 3, 255, 256, 257, 100003})
    for (const int steps : {0, 1, 2, 5}) try_one(count, steps);
  float numbers = 0, scratch = 0;
  cudaGraphExec_t graph = nullptr;
  REQUIRE(smoothing_graph(&numbers, &scratch, 0, 1, &graph) == cudaErrorInvalidValue);
  REQUIRE(smoothing_graph(&numbers, &scratch, 1, -1, &graph) == cudaErrorInvalidValue);
  REQUIRE(graph == nullptr);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  std::puts("all right");
}
