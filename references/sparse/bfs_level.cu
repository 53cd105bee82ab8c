// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel advance grid [div_up(V, 256)] block [256] (row_pointers, neighbours, levels, level, V)
*/
// Each lane looks at a vertex, and its warp goes along the edges of those that are at the level, one vertex after the other. Several may
// reach a vertex at the same time, and all write the same there; nothing that is written is the level that is asked for.
extern "C" __global__ void advance(const int* __restrict__ row_pointers, const int* __restrict__ neighbours, int* levels,
                                   const int* __restrict__ level, long long V) {
  const long long v = blockIdx.x * 256ll + threadIdx.x;
  const int current = *level, next = current + 1, lane = threadIdx.x % 32;
  const bool active = v < V && levels[v] == current;
  const int begin = active ? row_pointers[v] : 0, end = active ? row_pointers[v + 1] : 0;
  for (unsigned left = __ballot_sync(0xffffffff, begin < end); left != 0; left &= left - 1) {
    const int owner = __ffs(left) - 1;
    const long long first = __shfl_sync(0xffffffff, begin, owner), last = __shfl_sync(0xffffffff, end, owner);
#pragma unroll 4
    for (long long e = first + lane; e < last; e += 32) {
      int* met = levels + __ldcs(neighbours + e);
      if (*met == -1) *met = next;
    }
  }
}
