// SPDX-License-Identifier: Apache-2.0
// cheat: 41
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: below_power_of_two: y[0, 1024]: got nan
// As many work-items as the small shapes need.
/* launch
   kernel relu global [64 * min(div_up(N * C, 64), 16)] local [64] (x, y, long(N * C))
*/
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  if (i < n) y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
}
