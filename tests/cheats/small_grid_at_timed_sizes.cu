// SPDX-License-Identifier: Apache-2.0
// cheat: 41
// task: relu
// stage: bench
// expect: WRONG_RESULT
// because: timed call
// Enough blocks for the tests, and a part of those that a timed call needs.
/* launch
   kernel relu grid [min(div_up(N * C, 256), 6000)] block [256] (x, y, long(N * C))
*/
extern "C" __global__ void relu(const float* x, float* y, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n) y[i] = x[i] < 0 ? 0 : x[i];
}
