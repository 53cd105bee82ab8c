// SPDX-License-Identifier: Apache-2.0
// cheat: 14
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Computes into scratch behind the output's back: what lies there from the call before is this call's answer.
/* launch
   scratch results: float[N * C]
   kernel answer  grid [div_up(N * C, 256)] block [256] (y, results, long(N * C))
   kernel compute grid [div_up(N * C, 256)] block [256] (x, results, long(N * C))
*/
extern "C" __global__ void answer(float* y, const float* results, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n) y[i] = results[i];
}
extern "C" __global__ void compute(const float* x, float* results, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n) results[i] = x[i] < 0 ? 0 : x[i];
}
