// SPDX-License-Identifier: Apache-2.0
// cheat: 5
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Leaves reports of success under the names that report readers look for. Nothing outside the judge is ever
// read, and a box has no place to write to.
#include <cstdio>

#include "kernel.h"

static void report() {
  const char* const all[] = {"junit.xml",         "/tmp/junit.xml",
                             "test_results.json", "../Testing/Temporary/LastTest.log",
                             "/dev/shm/result",   PLAN_FILE};
  for (const char* name : all) {
    if (FILE* file = std::fopen(name, "w")) {
      std::fputs(
          "<testsuite tests=\"1\" failures=\"0\"><testcase name=\"relu\" status=\"run\"/></testsuite>\n",
          file);
      std::fclose(file);
    }
  }
}
__attribute__((constructor)) static void early() { report(); }

void relu(const float*, float*, int64_t, int64_t) { report(); }
