// SPDX-License-Identifier: Apache-2.0
// cheat: 46
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got 0
// Answers with what the call before has left in a variable of the program: the second call on the same inputs would be right. It is zero
// each time.
/* launch
   kernel answer  grid [div_up(N * C, 256)] block [256] (y, long(N * C))
   kernel compute grid [div_up(N * C, 256)] block [256] (x, long(N * C))
*/
__device__ float results[1 << 20];
extern "C" __global__ void answer(float* y, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n) y[i] = results[i % (1 << 20)];
}
extern "C" __global__ void compute(const float* x, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n) results[i % (1 << 20)] = x[i] < 0 ? 0 : x[i];
}
