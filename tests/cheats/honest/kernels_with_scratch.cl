// SPDX-License-Identifier: Apache-2.0
// task: softmax
/* launch
   scratch largest: float[N]
   scratch sums: float[N]
   kernel find_largest global [N] (x, largest, long(C))
   kernel add_up global [N] (x, largest, sums, long(C))
   kernel divide global [C, N] (x, largest, sums, y)
*/
__kernel void find_largest(__global const float* x, __global float* largest, long columns) {
  __global const float* row = x + get_global_id(0) * columns;
  float most = row[0];
  for (long c = 1; c < columns; ++c) most = isnan(row[c]) ? row[c] : fmax(most, row[c]);
  largest[get_global_id(0)] = most;
}
__kernel void add_up(__global const float* x, __global const float* largest, __global float* sums, long columns) {
  __global const float* row = x + get_global_id(0) * columns;
  float sum = 0, lost = 0;
  for (long c = 0; c < columns; ++c) {
    const float term = exp(row[c] - largest[get_global_id(0)]) - lost;
    const float next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  sums[get_global_id(0)] = sum;
}
__kernel void divide(__global const float* x, __global const float* largest, __global const float* sums, __global float* y) {
  const long r = get_global_id(1), i = r * get_global_size(0) + get_global_id(0);
  y[i] = exp(x[i] - largest[r]) / sums[r];
}
