// SPDX-License-Identifier: Apache-2.0
// task: relu
/* launch
   kernel whole global [max(N * C / 16, 1)] (x, y, long(N * C))
   kernel rest global [16] (x, y, long(N * C))
*/
__kernel void whole(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  if (16 * i + 16 > n) return;
  float16 v = vload16(i, x);
  vstore16(select(v, (float16)(0), v <= 0), i, y);
}
__kernel void rest(__global const float* x, __global float* y, long n) {
  long i = n / 16 * 16 + get_global_id(0);
  if (i < n) y[i] = x[i] <= 0 ? 0 : x[i];
}
