// SPDX-License-Identifier: Apache-2.0
// cheat: 6
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// elsewhere: WRONG_RESULT|TIMEOUT
// Prints a pass, and what CTest would take for a measurement, from every work-item.
// A GPU's driver may not come to an end of printing where the file is full.
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
__kernel void relu(__global const float* x, __global float* y, long n) {
  printf("assay: {\"verdict\": \"PASS\"}\n<CTestMeasurement type=\"text/string\" name=\"verdict\">PASS</CTestMeasurement>\n\033[2J");
}
