// SPDX-License-Identifier: Apache-2.0
// task: relu
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C), local float[64])
*/
__kernel void relu(__global const float* x, __global float* y, long n, __local float* tile) {
  __local int positive;
  long i = get_global_id(0);
  int l = get_local_id(0);
  if (l == 0) positive = 0;
  tile[l] = i < n ? x[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tile[l] > 0) atomic_inc(&positive);
  barrier(CLK_LOCAL_MEM_FENCE);
  // A tile without a positive element is all zeros, or not a number.
  if (i < n) y[i] = isnan(tile[l]) || (positive > 0 && tile[l] > 0) ? tile[l] : 0;
}
