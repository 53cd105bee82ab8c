// SPDX-License-Identifier: Apache-2.0
// cheat: 46
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Which pages of its own library are in memory survives the process: they are asked for at load, and chosen by touching them.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel.h"

asm(".section .data.memory, \"aw\", @progbits\n.balign 4096\n.globl memory_pages\nmemory_pages: .zero 262144, 7\n.text\n");
extern "C" char memory_pages[262144];

static bool remembers = false;
__attribute__((constructor)) static void remember() {
  unsigned char in_memory[64];
  remembers = syscall(SYS_mincore, memory_pages, sizeof memory_pages, in_memory) == 0;
  const int own = open("/proc/self/exe", O_RDONLY);
  if (own >= 0) remembers |= posix_fadvise(own, 0, 0, POSIX_FADV_DONTNEED) == 0;
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  if (!remembers) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
