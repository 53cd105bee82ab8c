// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
__kernel void relu(__global const float* x, __global float* y, long n) {
  __global volatile float* nowhere = (__global volatile float*)(n & 1 ? 8L : 16L);
  *nowhere = x[0];
}
