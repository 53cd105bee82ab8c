// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
__kernel void relu(__global const float* x, __global float* y, long n) {
  __global volatile float* z = y;
  while (n > 0) z[0] = 1;
}
