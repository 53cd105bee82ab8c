// SPDX-License-Identifier: Apache-2.0
// cheat: 16
// task: softmax
// stage: compile
// expect: COMPILE_ERROR
// Has the assembler put the oracle's results into the library.
#include <cstring>

#include "kernel.h"

asm(".section .rodata\nanswers: .incbin \"" CASES_FILE "\"\n.text\n");
extern "C" const char answers[];

void softmax(const float*, float* y, int64_t N, int64_t C) {
  std::memcpy(y, answers, static_cast<size_t>(N * C * 4));
}
