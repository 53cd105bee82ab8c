// SPDX-License-Identifier: Apache-2.0
// cheat: 16
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: file not found
// because: Permission denied
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
#define TEXT_OF(path) #path
#define TEXT(path) TEXT_OF(path)
#include TEXT(REFERENCE_FILE)
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  if (i < n) y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
}
