// SPDX-License-Identifier: Apache-2.0
// cheat: 6
// task: relu
// stage: compile
// expect: COMPILE_ERROR
/* launch
   kernel relu grid [div_up(N * C, 256)] block [256] (x, y, long(N * C))
*/
#error <CTestMeasurement type="text/string" name="Completion Status">Completed</CTestMeasurement>
extern "C" __global__ void relu(const float* x, float* y, long long n) {}
