// SPDX-License-Identifier: Apache-2.0
// cheat: 15
// task: softmax
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// A stage in front, and nothing behind it: should the output still hold what the judge compares with, it would do.
/* launch
   scratch largest: float[N]
   kernel find_largest grid [div_up(N, 64)] block [64] (x, largest, N, C)
*/
extern "C" __global__ void find_largest(const float* x, float* largest, long long rows, long long columns) {
  const long long row = blockIdx.x * 64ll + threadIdx.x;
  if (row >= rows) return;
  float most = x[row * columns];
  for (long long c = 1; c < columns; ++c) most = fmaxf(most, x[row * columns + c]);
  largest[row] = most;
}
