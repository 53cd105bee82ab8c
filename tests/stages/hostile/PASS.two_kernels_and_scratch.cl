// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch copy: float[N * C]
   kernel load global [round_up(N * C, 64)] local [64] (x, copy, N, C, local float[64])
   kernel relu global [N * C] (copy, y, long(N * C))
*/
__kernel void load(__global const float* x, __global float* copy, long N, long C, __local float* tile) {
  long i = get_global_id(0);
  int l = get_local_id(0);
  tile[l] = i < N * C ? x[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < N * C) copy[i] = tile[l];
}
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  if (i < n) y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
}
