// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch sorted: float[N * K * 2]
   kernel add_updates  global [16 * N]  local [16]  (x, indices, updates, y, sorted, M, K)
*/
// A work-group takes a row. Work-item i owns the columns c with c % 16 == i, and nothing else is written, so
// no atomic is needed and the sums are the same in every run: a counting sort brings each owner's updates,
// and their columns, together in the order in which they stand, and each owner then adds its own.
#define ITEMS 16

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void add_updates(
    __global const float* restrict x, __global const long* restrict indices,
    __global const float* restrict updates, __global float* restrict y, __global float* restrict sorted,
    long M, long K) {
  __local int next[ITEMS][ITEMS];  // of a work-item's share of the updates, for an owner
  __local int total[ITEMS];
  const int item = get_local_id(0);
  const long n = get_group_id(0);
  x += n * M;
  y += n * M;
  indices += n * K;
  updates += n * K;
  sorted += n * K * 2;

  // A share is a stretch of updates.
  const long share = (K + ITEMS - 1) / ITEMS;
  const int begin = (int)min(item * share, K), end = (int)min((item + 1) * share, K);
  for (int owner = 0; owner < ITEMS; ++owner) next[item][owner] = 0;
  for (int k = begin; k < end; ++k) ++next[item][(uint)indices[k] % ITEMS];
  for (long j = item * 8; j < M; j += ITEMS * 8) {
    if (j + 8 <= M)
      vstore8(vload8(0, x + j), 0, y + j);
    else
      for (long i = j; i < M; ++i) y[i] = x[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

  int sum = 0;
  for (int i = 0; i < ITEMS; ++i) {
    const int count = next[i][item];
    next[i][item] = sum;
    sum += count;
  }
  total[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);

  int first = 0;
  for (int i = 0; i < item; ++i) first += total[i];
  for (int i = 0; i < ITEMS; ++i) next[i][item] += first;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int k = begin; k < end; ++k) {
    const int column = (int)indices[k];
    const int place = next[item][(uint)column % ITEMS]++;
    vstore2((float2)(as_float(column), updates[k]), place, sorted);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);

  for (int i = first; i < first + sum; ++i) {
    const float2 update = vload2(i, sorted);
    y[as_int(update.x)] += update.y;
  }
}
