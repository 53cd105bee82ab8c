// SPDX-License-Identifier: Apache-2.0
// cheat: 48
// task: relu
// stage: test
// expect: TIMEOUT
// One work-item waits for a word that nobody writes.
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  volatile __global int* flag = (volatile __global int*)y;
  if (i < n) y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
  while (i == 0 && *flag != 0x12345678) {}
}
