// SPDX-License-Identifier: Apache-2.0
// cheat: 18
// task: relu
// stage: compile
// expect: POLICY
// because: calls dlopen
// Has a dlopen of its own, so that none is imported. It is data, which -Bsymbolic-functions does not bind, so the loader takes
// the C library's dlopen(), which it looks at first.
#include "kernel.h"

__asm__(
    ".data\n"
    ".weak dlopen\n"
    ".type dlopen, @object\n"
    "dlopen: .zero 8\n"
    ".size dlopen, 8\n"
    ".text\n");
extern "C" void* dlopen(const char*, int);

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0;
  if (dlopen("libopenblas.so.0", 2) != nullptr) y[0] = 1;
}
