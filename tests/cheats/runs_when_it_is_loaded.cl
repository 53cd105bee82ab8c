// SPDX-License-Identifier: Apache-2.0
// cheat: 2
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// elsewhere: COMPILE_ERROR
// A constructor in device code, by the assembler: host code that runs when the compiled kernel is loaded, and would like to write.
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  long result = -1;
#if defined(__x86_64__)
  __asm__ volatile(
      ".pushsection .data.of_constructor,\"aw\",@progbits\n 1: .quad -1\n 2: .asciz \"f\"\n.popsection\n"
      ".pushsection .text.of_constructor,\"ax\",@progbits\n"
      "3: mov $319, %%eax\n lea 2b(%%rip), %%rdi\n xor %%esi, %%esi\n syscall\n mov %%rax, 1b(%%rip)\n ret\n.popsection\n"
      ".pushsection .init_array,\"aw\",@init_array\n .quad 3b\n.popsection\n"
      "mov 1b(%%rip), %0"
      : "=r"(result));
#endif
  if (i < n && result >= 0) y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;
}
