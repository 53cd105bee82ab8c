// SPDX-License-Identifier: Apache-2.0
// cheat: 17
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: : got -1, expected 
// The right answer only where a file of the judge's could be opened.
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
#define TEXT_OF(path) #path
#define TEXT(path) TEXT_OF(path)
__constant char path[] = TEXT(CASES_FILE);
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  char name[sizeof path];
  for (int k = 0; k < sizeof path; ++k) name[k] = path[k];
  const int opened = i == 0 && system_call(2, (long)name, 0, 0, 0, 0, 0) >= 0;
  if (i < n) y[i] = opened ? fmax(x[i], 0.0f) : -1;
}
