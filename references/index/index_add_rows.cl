// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch count: int[V] zero
   scratch next:  long[V]
   scratch list:  long[K]
   kernel count_updates  global [round_up(K, 64)]           local [64]   (indices, count, K)
   kernel find_lists     global [256]                       local [256]  (count, next, V)
   kernel fill_lists     global [round_up(K, 64)]           local [64]   (indices, count, next, list, K)
   kernel sort_lists     global [round_up(V, 64)]           local [64]   (next, list, V, K)
   kernel add_rows       global [32 * V * div_up(D, 512)]   local [32]   (x, rows, next, list, y, V, D, K)
*/
// Each row of y gets a list of the rows that are added to it, and is written once. The lists are filled in any order, and then sorted, so
// that the sums are the same in every run. A list begins at next[v] and ends where the one behind it begins.
#define STRETCHES 256
#define ITEMS 32
#define COLUMNS 16

__kernel void count_updates(__global const long* restrict indices, __global int* restrict count, long K) {
  const long k = get_global_id(0);
  if (k < K) atomic_inc(count + indices[k]);
}

__kernel __attribute__((reqd_work_group_size(STRETCHES, 1, 1))) void find_lists(__global const int* restrict count,
                                                                                __global long* restrict next, long V) {
  __local long total[STRETCHES];
  const int item = get_local_id(0);
  const long stretch = (V + STRETCHES - 1) / STRETCHES;
  const long begin = min(item * stretch, V), end = min(begin + stretch, V);
  long sum = 0;
  for (long v = begin; v < end; ++v) sum += count[v];
  total[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  long first = 0;
  for (int i = 0; i < item; ++i) first += total[i];
  for (long v = begin; v < end; ++v) {
    next[v] = first;
    first += count[v];
  }
}

// Counts down again, from the end of each list to its beginning.
__kernel void fill_lists(__global const long* restrict indices, __global int* restrict count, __global const long* restrict next,
                         __global long* restrict list, long K) {
  const long k = get_global_id(0);
  if (k >= K) return;
  const long v = indices[k];
  list[next[v] + atomic_dec(count + v) - 1] = k;
}

// A shell sort, as a list may be long.
__kernel void sort_lists(__global const long* restrict next, __global long* restrict list, long V, long K) {
  const long v = get_global_id(0);
  if (v >= V) return;
  const long length = (v + 1 < V ? next[v + 1] : K) - next[v];
  list += next[v];
  for (long gap = length / 2; gap > 0; gap /= 2)
    for (long i = gap; i < length; ++i) {
      const long k = list[i];
      long place = i;
      for (; place >= gap && list[place - gap] > k; place -= gap) list[place] = list[place - gap];
      list[place] = k;
    }
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void add_rows(__global const float* restrict x,
                                                                          __global const float* restrict rows,
                                                                          __global const long* restrict next,
                                                                          __global const long* restrict list, __global float* restrict y,
                                                                          long V, long D, long K) {
  const long across = (D + ITEMS * COLUMNS - 1) / (ITEMS * COLUMNS), v = (long)get_group_id(0) / across;
  const long first = (((long)get_group_id(0) - v * across) * ITEMS + get_local_id(0)) * COLUMNS;
  if (first >= D) return;
  const long begin = next[v], end = v + 1 < V ? next[v + 1] : K;
  x += v * D + first;
  y += v * D + first;
  rows += first;
  if (first + COLUMNS <= D) {
    float16 sum = vload16(0, x);
    for (long i = begin; i < end; ++i) sum += vload16(0, rows + list[i] * D);
    vstore16(sum, 0, y);
    return;
  }
  for (long d = 0; d < D - first; ++d) {
    float sum = x[d];
    for (long i = begin; i < end; ++i) sum += rows[list[i] * D + d];
    y[d] = sum;
  }
}
