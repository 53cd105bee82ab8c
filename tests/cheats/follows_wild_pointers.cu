// SPDX-License-Identifier: Apache-2.0
// cheat: 44
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS
// because: accessed memory beyond its buffers
// Addresses that were never given to it, which unified addressing might make the host's.
/* launch
   kernel relu grid [div_up(N * C, 256)] block [256] (x, y, long(N * C))
*/
extern "C" __global__ void relu(const float* x, float* y, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n) y[i] = *(const volatile float*)0x100000000ull + (x[i] < 0 ? 0 : x[i]);
}
