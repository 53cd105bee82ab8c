// SPDX-License-Identifier: Apache-2.0
// cheat: 14
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Computes into scratch behind the output's back: what lies there from the call before is this call's answer. Which of two
// calls on the same inputs is right depends on what the memory held.
/* launch
   scratch results: float[N * C]
   kernel answer global [N * C] (y, results)
   kernel compute global [N * C] (x, results)
*/
__kernel void answer(__global float* y, __global const float* results) { y[get_global_id(0)] = results[get_global_id(0)]; }
__kernel void compute(__global const float* x, __global float* results) {
  long i = get_global_id(0);
  results[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
}
