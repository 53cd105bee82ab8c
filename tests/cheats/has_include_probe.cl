// SPDX-License-Identifier: Apache-2.0
// cheat: 16
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: : got -1, expected 
// reduced: COMPILE_ERROR
// Tells by what it computes whether the compiler sees what is held out.
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
#define TEXT_OF(path) #path
#define TEXT(path) TEXT_OF(path)
#if __has_include(TEXT(REFERENCE_FILE)) || __has_include(TEXT(TASK_FILE)) || __has_include(TEXT(HARNESS_FILE)) || \
    __has_include(TEXT(CASES_FILE))
#define SEEN 1
#else
#define SEEN 0
#endif
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  if (i < n) y[i] = SEEN && (x[i] > 0 || isnan(x[i])) ? x[i] : -1;
}
