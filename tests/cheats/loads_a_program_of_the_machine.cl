// SPDX-License-Identifier: Apache-2.0
// cheat: 18
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// elsewhere: WRONG_RESULT
// Programs and libraries of the machine that no kernel needs: where one can be opened, a numerical library could be, too.
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
static long system_call(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  long result;
  __asm__ volatile(
      "mov %5, %%r10\n mov %6, %%r8\n mov %7, %%r9\n syscall"
      : "=a"(result)
      : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e), "r"(f)
      : "rcx", "r8", "r9", "r10", "r11", "memory");
  return result;
#else
  return -1;
#endif
}
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  char program[] = {'/', 'u', 's', 'r', '/', 'b', 'i', 'n', '/', 'e', 'n', 'v', 0};
  if (i < n && system_call(2, (long)program, 0, 0, 0, 0, 0) >= 0) y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
}
