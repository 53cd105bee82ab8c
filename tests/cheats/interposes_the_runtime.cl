// SPDX-License-Identifier: Apache-2.0
// cheat: 23
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Functions of the process, defined anew in the kernel's library.
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
int memcmp(const void* a, const void* b, unsigned long n) { return 0; }
void _exit(int status) {}
int clFinish(void* queue) { return 0; }
__kernel void relu(__global const float* x, __global float* y, long n) {
  if (get_global_id(0) == 0) _exit(memcmp(0, 0, 0));
}
