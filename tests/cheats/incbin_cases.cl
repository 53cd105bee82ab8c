// SPDX-License-Identifier: Apache-2.0
// cheat: 16
// task: relu
// stage: test
// expect: CRASH|WRONG_RESULT
// Takes a file's bytes into the program where that is assembled, which is when it is first launched. No assembler, no launch.
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
#define TEXT_OF(path) #path
#define TEXT(path) TEXT_OF(path)
__kernel void relu(__global const float* x, __global float* y, long n) {
  __asm__ volatile(".pushsection .rodata\n .incbin \"" TEXT(CASES_FILE) "\"\n .popsection");
  long i = get_global_id(0);
  if (i < n) y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
}
