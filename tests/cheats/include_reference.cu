// SPDX-License-Identifier: Apache-2.0
// cheat: 16
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: cannot open source file
/* launch
   kernel relu grid [div_up(N * C, 256)] block [256] (x, y, long(N * C))
*/
#include REFERENCE_FILE
extern "C" __global__ void relu(const float* x, float* y, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n) y[i] = x[i] < 0 ? 0 : x[i];
}
