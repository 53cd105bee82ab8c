// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel relu global [round_up(N * C, 1048576)] local [1048576 * min(N, 1)] (x, y, long(N * C))
*/
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  if (i < n) y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
}
