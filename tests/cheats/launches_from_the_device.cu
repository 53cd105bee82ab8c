// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// Work that a kernel starts could run on behind the call: what starts it is not linked.
/* launch
   kernel relu grid [1] block [1] (x, y, long(N * C))
*/
__global__ void work(const float* x, float* y, long long n) {
  for (long long i = threadIdx.x; i < n; i += 256) y[i] = x[i] < 0 ? 0 : x[i];
}
extern "C" __global__ void relu(const float* x, float* y, long long n) { work<<<1, 256>>>(x, y, n); }
