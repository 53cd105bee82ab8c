// SPDX-License-Identifier: Apache-2.0
// cheat: 38
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS
// because: accessed memory beyond its buffers
// Scratch of one cache line, taken for a page.
/* launch
   scratch line: float[16]
   kernel relu grid [div_up(N * C, 256)] block [256] (x, y, line, long(N * C))
*/
extern "C" __global__ void relu(const float* x, float* y, float* line, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i == 0) line[1000] = 1;
  if (i < n) y[i] = x[i] < 0 ? 0 : x[i];
}
