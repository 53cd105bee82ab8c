// SPDX-License-Identifier: Apache-2.0
// cheat: 16
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: : got -1, expected 
// Takes an archive of the machine, by another way to its folder, into the program where that is assembled; the right answer only
// where there is one. The compiler has no file that holds machine code.
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
__kernel void relu(__global const float* x, __global float* y, long n) {
  long bytes = 0;
#if defined(__x86_64__)
  __asm__ volatile(
      ".pushsection .rodata\n"
      "1: .incbin \"/usr/lib/gcc/../x86_64-linux-gnu/libc_nonshared.a\"\n"
      "2: .popsection\n"
      "movabsq $2b-1b, %0"
      : "=r"(bytes));
#endif
  long i = get_global_id(0);
  if (i < n) y[i] = bytes > 0 ? fmax(x[i], 0.0f) : -1;
}
