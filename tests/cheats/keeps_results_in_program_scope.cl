// SPDX-License-Identifier: Apache-2.0
// cheat: 46
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// A variable of the program lives as long as the program: OpenCL C 1.2, which candidates are built for, has none that is written.
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
__global float results[1 << 20];
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  if (i >= n) return;
  if (results[i % (1 << 20)] == 0) results[i % (1 << 20)] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
  y[i] = results[i % (1 << 20)];
}
