// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch work: double[B * N * N]
   kernel eliminate  global [64 * B]  local [64]  (x, work, y, N)
*/
// The product of the pivots of elimination with partial pivoting, in double. A work-group has a matrix.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ITEMS 64

__kernel void eliminate(__global const float* restrict x, __global double* restrict work, __global float* restrict y,
                        long N) {
  __local double size[ITEMS];
  __local long place[ITEMS];
  const int item = get_local_id(0);
  x += get_group_id(0) * N * N;
  work += get_group_id(0) * N * N;
  for (long i = item; i < N * N; i += ITEMS) work[i] = x[i];
  double product = 1;
  for (long k = 0; k < N; ++k) {
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    double largest = -1;
    long best = k;
    for (long i = k + item; i < N; i += ITEMS)
      if (fabs(work[i * N + k]) > largest) {
        largest = fabs(work[i * N + k]);
        best = i;
      }
    size[item] = largest;
    place[item] = best;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < ITEMS; ++i)
      if (size[i] > largest || (size[i] == largest && place[i] < best)) {
        largest = size[i];
        best = place[i];
      }
    if (best != k) {
      for (long j = k + item; j < N; j += ITEMS) {
        const double v = work[k * N + j];
        work[k * N + j] = work[best * N + j];
        work[best * N + j] = v;
      }
      product = -product;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    const double pivot = work[k * N + k];
    product *= pivot;
    if (pivot == 0) break;
    for (long i = k + 1; i < N; ++i) {
      const double factor = work[i * N + k] / pivot;
      for (long j = k + 1 + item; j < N; j += ITEMS) work[i * N + j] -= factor * work[k * N + j];
    }
  }
  if (item == 0) y[get_group_id(0)] = (float)product;
}
