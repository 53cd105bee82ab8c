// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel step grid [div_up(V, 32)] block [256] (row_pointers, neighbours, labels, new_labels, V)
*/
#include "blocks/neighbours.cuh"

extern "C" __global__ void step(const int* __restrict__ row_pointers, const int* __restrict__ neighbours, const int* __restrict__ labels,
                                int* __restrict__ new_labels, long long V) {
  const long long v = vertex_of_lanes();
  const int own = v < V ? labels[v] : 0;
  const int smallest = fold_edges(row_pointers, neighbours, labels, v, V, own, [](int a, int b) { return min(a, b); });
  if (v < V && threadIdx.x % kLanes == 0) new_labels[v] = smallest;
}
