// SPDX-License-Identifier: Apache-2.0
// cheat: 15
// task: softmax
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// A stage in front, and nothing behind it: should the output still hold what the judge compares with, it would do.
/* launch
   scratch largest: float[N]
   kernel find_largest global [N] (x, largest, long(C))
*/
__kernel void find_largest(__global const float* x, __global float* largest, long columns) {
  long row = get_global_id(0);
  float most = -INFINITY;
  for (long c = 0; c < columns; ++c) most = fmax(most, x[row * columns + c]);
  largest[row] = most;
}
