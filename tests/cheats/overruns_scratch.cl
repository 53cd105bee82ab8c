// SPDX-License-Identifier: Apache-2.0
// cheat: 38
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS
// because: accessed byte
// Scratch of one cache line, taken for a page.
/* launch
   scratch line: float[16]
   kernel relu global [N * C] (x, y, line)
*/
__kernel void relu(__global const float* x, __global float* y, __global float* line) {
  long i = get_global_id(0);
  line[i % 1024] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
  y[i] = line[i % 1024];
}
