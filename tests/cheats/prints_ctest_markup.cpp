// SPDX-License-Identifier: Apache-2.0
// cheat: 6
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// CTest takes measurements, labels and files to attach from a test's output. None of the box's output reaches
// it.
#include <cstdio>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  std::puts("<CTestMeasurement type=\"numeric/double\" name=\"speedup\">99</CTestMeasurement>");
  std::puts("<CTestMeasurementFile type=\"file\" name=\"secret\">/etc/hostname</CTestMeasurementFile>");
  std::puts("<CTestDetails>all cases passed</CTestDetails><CTestLabel>reference</CTestLabel>");
  std::fflush(stdout);
}
