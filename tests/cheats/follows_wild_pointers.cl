// SPDX-License-Identifier: Apache-2.0
// cheat: 44
// task: relu
// stage: test
// expect: CRASH
// An address of its own, and what lies behind it at a distance of 16 TiB.
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  __global const float* elsewhere = (__global const float*)((unsigned long)x ^ 0x100000000000ul);
  if (i < n) y[i] = elsewhere[i];
}
