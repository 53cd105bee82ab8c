// SPDX-License-Identifier: Apache-2.0
// cheat: 38
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS
// because: before the first element
// The allocation begins before the tensor: room for a counter that nobody asked for.
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  if (i == 0) y[-1] = n;
  if (i < n) y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
}
