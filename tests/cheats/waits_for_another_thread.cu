// SPDX-License-Identifier: Apache-2.0
// cheat: 48
// task: relu
// stage: test
// expect: TIMEOUT
// One thread waits for a word that nobody writes.
/* launch
   kernel relu grid [div_up(N * C, 256)] block [256] (x, y, long(N * C))
*/
extern "C" __global__ void relu(const float* x, float* y, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  volatile int* flag = (volatile int*)y;
  if (i < n) y[i] = x[i] < 0 ? 0 : x[i];
  while (i == 0 && *flag != 0x12345678) {}
}
