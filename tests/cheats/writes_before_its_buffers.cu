// SPDX-License-Identifier: Apache-2.0
// cheat: 38
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS
// because: before output 0
// Memory in front of the output is mapped: only the fence tells.
/* launch
   kernel relu grid [div_up(N * C, 256)] block [256] (x, y, long(N * C))
*/
extern "C" __global__ void relu(const float* x, float* y, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i == 0) y[-1] = 42;
  if (i < n) y[i] = x[i] < 0 ? 0 : x[i];
}
