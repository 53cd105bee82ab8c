// SPDX-License-Identifier: Apache-2.0
// cheat: 46
// task: relu
// stage: test
// expect: CRASH
// The same in __constant memory, which a cast makes writable: to the compiler, not to the page.
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
__constant int calls[4] = {1, 2, 3, 4};
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  volatile __private int* counter = (volatile __private int*)(unsigned long)&calls[n & 3];
  *counter += 1;
  if (i < n) y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
}
