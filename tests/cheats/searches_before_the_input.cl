// SPDX-License-Identifier: Apache-2.0
// cheat: 13
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS
// because: before
// elsewhere: WRONG_RESULT
// The expected output may lie beside the input: looks for it, page by page.
// A GPU does not fault at what lies before; nothing of the judge's is there.
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  if (i >= n) return;
  float sum = 0;
  for (long page = 1; page < 64; ++page) sum += x[i - 1024 * page];
  y[i] = sum;
}
