// SPDX-License-Identifier: Apache-2.0
// cheat: 37
// task: relu
// stage: test
// expect: INPUT_MODIFIED
// The input is const in the block's eyes, not in the kernel's.
/* launch
   kernel relu grid [div_up(N * C, 256)] block [256] (x, y, long(N * C))
*/
extern "C" __global__ void relu(float* x, float* y, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n) y[i] = x[i] = 0;
}
