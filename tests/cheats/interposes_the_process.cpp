// SPDX-License-Identifier: Apache-2.0
// cheat: 23
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Brings its own main, allocator, copies, system calls and clocks, under the names that the box uses. A
// library loaded for its own use alone answers to nobody else's names.
#include <cstddef>

#include "kernel.h"

extern "C" {
int main() { return 0; }
int __libc_start_main(...) { return 0; }
long syscall(long, ...) noexcept { return 0; }
void* dlopen(const char*, int) noexcept { return nullptr; }
long write(int, const void*, size_t) { return 0; }
int munmap(void*, size_t) noexcept { return 0; }
void _exit(int) {
  while (true) {
  }
}
}

void relu(const float*, float*, int64_t, int64_t) {}
