// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

struct Node {
  int value;
  Node* next;
};

cudaError_t make_list(const int* values, std::size_t count, Node** head);
cudaError_t sum_list(const Node* head, long long* sum);
cudaError_t free_list(Node* head);
