// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch slabs: double[div_up(N, 64) * K]
   scratch sums : double[K]
   kernel slab_sums    global [round_up(div_up(K, 8), 16), div_up(N, 64)]  local [16, 1]  (w, slabs, K, N)
   kernel column_sums  global [round_up(K, 64)]  local [64]  (slabs, sums, K, long(div_up(N, 64)))
   kernel product      global [16 * M]  local [16]  (x, sums, y, K)
*/
// The sum of a row of the product is the product with the sums of the columns of w^T. Those are summed in slabs of 64 rows of w first. All
// sums are double.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define SLAB 64
#define ITEMS 16

__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void slab_sums(__global const float* restrict w, __global double* restrict slabs,
                                                                        long K, long N) {
  const long k = (long)get_global_id(0) * 8, slab = get_global_id(1), first = slab * SLAB, last = min(first + SLAB, N);
  if (k + 8 <= K) {
    double8 sum = 0;
    for (long n = first; n < last; ++n) sum += convert_double8(vload8(0, w + n * K + k));
    vstore8(sum, 0, slabs + slab * K + k);
  } else {
    for (long i = k; i < K; ++i) {
      double sum = 0;
      for (long n = first; n < last; ++n) sum += w[n * K + i];
      slabs[slab * K + i] = sum;
    }
  }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void column_sums(__global const double* restrict slabs,
                                                                          __global double* restrict sums, long K, long count) {
  const long k = get_global_id(0);
  if (k >= K) return;
  double sum = 0;
  for (long slab = 0; slab < count; ++slab) sum += slabs[slab * K + k];
  sums[k] = sum;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void product(__global const float* restrict x,
                                                                         __global const double* restrict sums,
                                                                         __global float* restrict y, long K) {
  __local double part[ITEMS];
  const long item = get_local_id(0), row = get_group_id(0), whole = K / 8 * 8;
  x += row * K;
  double8 eight = 0;
  for (long k = item * 8; k < whole; k += ITEMS * 8) eight += convert_double8(vload8(0, x + k)) * vload8(0, sums + k);
  if (whole + item < K) eight.s0 += x[whole + item] * sums[whole + item];
  const double4 four = eight.lo + eight.hi;
  part[item] = (four.x + four.y) + (four.z + four.w);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    double sum = 0;
    for (int i = 0; i < ITEMS; ++i) sum += part[i];
    y[row] = (float)(0.75 * sum);
  }
}
