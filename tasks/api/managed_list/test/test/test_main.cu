// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "managed_list.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

static __global__ void read(const Node* node, int* values, std::size_t most, std::size_t* length) {
  std::size_t i = 0;
  for (; node != nullptr && i < most; node = node->next) values[i++] = node->value;
  *length = i;
}

static __global__ void add_to_each(Node* node, int number) {
  for (; node != nullptr; node = node->next) node->value += number;
}

static bool is_managed(const void* address) {
  cudaPointerAttributes attributes;
  return cudaPointerGetAttributes(&attributes, address) == cudaSuccess && attributes.type == cudaMemoryTypeManaged;
}

static long long sum_of(const std::vector<int>& values) {
  long long sum = 0;
  for (const int value : values) sum += value;
  return sum;
}

static void try_one(std::size_t count, int least, int kinds) {
  std::vector<int> values(count), got(count + 2);
  for (int& value : values) value = least + std::rand() % kinds;
  const std::vector<int> before = values;
  Node nobody = {12345, nullptr};
  Node* head = &nobody;
  REQUIRE(make_list(values.data(), count, &head) == cudaSuccess);
  REQUIRE(values == before);
  values.assign(count, 0);  // of which the list has made a copy
  std::size_t length = 0;
  for (const Node* node = head; node != nullptr; node = node->next, ++length) {
    REQUIRE(length < count && node->value == before[length]);
    REQUIRE(length % 1000 != 0 || is_managed(node));
  }
  REQUIRE(length == count);
  int* device = nullptr;
  std::size_t* device_length = nullptr;
  REQUIRE(cudaMalloc(&device, got.size() * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMalloc(&device_length, sizeof length) == cudaSuccess);
  read<<<1, 1>>>(head, device, got.size(), device_length);
  REQUIRE(cudaMemcpy(&length, device_length, sizeof length, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaMemcpy(got.data(), device, got.size() * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(length == count);
  for (std::size_t i = 0; i < count; ++i) REQUIRE(got[i] == before[i]);

  long long sum = -7, right = sum_of(before);
  REQUIRE(sum_list(head, &sum) == cudaSuccess && sum == right);
  if (count > 0) head->value += 5, right += 5;
  REQUIRE(sum_list(head, &sum) == cudaSuccess && sum == right);
  add_to_each<<<1, 1>>>(head, 3);  // and the sum comes after it
  right += 3 * static_cast<long long>(count);
  REQUIRE(sum_list(head, &sum) == cudaSuccess && sum == right);
  REQUIRE(free_list(head) == cudaSuccess);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  cudaFree(device);
  cudaFree(device_length);
}

int main() {
  for (const std::size_t count : {0, 1, 2, 3, 1000, 50001}) {
    try_one(count, -50, 101);
    try_one(count, 2000000000, 1000000);
  }
  // Two lists at a time.
  const int some[] = {1, 2, 3}, others[] = {10, 20};
  Node *first = nullptr, *second = nullptr;
  long long sum = 0;
  REQUIRE(make_list(some, 3, &first) == cudaSuccess && make_list(others, 2, &second) == cudaSuccess);
  REQUIRE(sum_list(first, &sum) == cudaSuccess && sum == 6);
  REQUIRE(free_list(first) == cudaSuccess);
  REQUIRE(sum_list(second, &sum) == cudaSuccess && sum == 30);
  REQUIRE(free_list(second) == cudaSuccess);
  std::puts("all right");
}
