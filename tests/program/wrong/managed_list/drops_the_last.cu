// verdict: WRONG_RESULT
#include "managed_list.h"

// All nodes are one array, which the first one's address frees.
cudaError_t make_list(const int* values, std::size_t count, Node** head) {
  *head = nullptr;
  if (count == 0) return cudaSuccess;
  Node* nodes = nullptr;
  const cudaError_t result = cudaMallocManaged(&nodes, count * sizeof(Node));
  if (result != cudaSuccess) return result;
  for (std::size_t i = 0; i < count; ++i) {
    nodes[i].value = values[i];
    nodes[i].next = i + 2 < count ? nodes + i + 1 : nullptr;
  }
  *head = nodes;
  return cudaSuccess;
}

static __global__ void walk(const Node* node, long long* sum) {
  long long mine = 0;
  for (; node != nullptr; node = node->next) mine += node->value;
  *sum = mine;
}

cudaError_t sum_list(const Node* head, long long* sum) {
  long long* found = nullptr;
  cudaError_t result = cudaMallocManaged(&found, sizeof *found);
  if (result != cudaSuccess) return result;
  *found = 0;
  walk<<<1, 1>>>(head, found);
  result = cudaGetLastError();
  if (result == cudaSuccess) result = cudaDeviceSynchronize();
  if (result == cudaSuccess) *sum = *found;
  cudaFree(found);
  return result;
}

cudaError_t free_list(Node* head) { return cudaFree(head); }
