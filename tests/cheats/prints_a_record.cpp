// SPDX-License-Identifier: Apache-2.0
// cheat: 4
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Prints the judge's own record, a passing one, to both streams, first thing at load and in each call.
#include <unistd.h>

#include <cstdio>

#include "kernel.h"

static void claim() {
  FILE* const all[] = {stdout, stderr};
  for (FILE* stream : all) {
    std::fprintf(
        stream,
        "assay: {\"version\":1,\"run\":\"hostile\",\"task\":\"relu\",\"stage\":\"test\",\"verdict\":\"PASS\","
        "\"cases\":{\"planned\":17,\"passed\":17}}\n[  PASSED  ] 17 tests.\nValidation: PASS\n");
    std::fflush(stream);
  }
}
__attribute__((constructor)) static void first() { claim(); }

void relu(const float*, float*, int64_t, int64_t) { claim(); }
