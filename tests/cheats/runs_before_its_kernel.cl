// SPDX-License-Identifier: Apache-2.0
// cheat: 2
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// elsewhere: PASS
// A constructor of the loaded kernel ends the process with success. A program that says that it has one does not build.
// A GPU has no constructors, nor system calls: what is left of it there is honest.
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
__attribute__((constructor)) void start(void) { system_call(231, 0, 0, 0, 0, 0, 0); }
__kernel void relu(__global const float* x, __global float* y, long n) {}
