// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch first: int[V] zero
   scratch next: int[K]
   kernel link grid [div_up(K, 256)] block [256] (indices, padding, first, next, K)
   kernel add  grid [div_up(V, 8), min(div_up(D, 512), 65535)] block [256] (dy, first, next, dtable, V, D)
*/
#include "blocks/table_gradient.cuh"

extern "C" __global__ void link(const long long* __restrict__ indices, const long long* __restrict__ padding, int* __restrict__ first,
                                int* __restrict__ next, long long K) {
  link_gradients(indices, padding, first, next, K);
}

extern "C" __global__ void add(const float* __restrict__ dy, const int* __restrict__ first, const int* __restrict__ next,
                               float* __restrict__ dtable, long long V, long long D) {
  add_gradients<true>(dy, first, next, dtable, V, D);
}
