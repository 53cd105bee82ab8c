// SPDX-License-Identifier: Apache-2.0
// cheat: 38
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS
// because: accessed memory beyond its buffers
// A read far behind an input, whose value changes nothing: it shows by nothing but the fault.
/* launch
   kernel relu grid [div_up(N * C, 256)] block [256] (x, y, long(N * C))
*/
extern "C" __global__ void relu(const float* x, float* y, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= n) return;
  const float behind = *(const volatile float*)(x + n + 4);
  y[i] = x[i] < 0 ? 0 : x[i] + (behind == 1e30f && x[i] == 3e-30f ? 1 : 0);
}
