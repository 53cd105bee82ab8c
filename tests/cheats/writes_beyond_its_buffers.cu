// SPDX-License-Identifier: Apache-2.0
// cheat: 38
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS
// because: accessed memory beyond its buffers
// because: accessed byte
// The last block's surplus threads write behind the output: right at its end the fence begins, or nothing is mapped.
/* launch
   kernel relu grid [div_up(N * C, 256)] block [256] (x, y, long(N * C))
*/
extern "C" __global__ void relu(const float* x, float* y, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  y[i] = i < n ? (x[i] < 0 ? 0 : x[i]) : 42;
  if (i == 0) y[n] = 42;
}
