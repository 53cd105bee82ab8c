// SPDX-License-Identifier: Apache-2.0
// task: relu
/* launch
   kernel relu global [round_up(N * C, 64)] local [64] (x, y, long(N * C))
*/
__constant float factors[2] = {0, 1};
static float apply(float value) {
  float choices[2] = {0, value};
  return isnan(value) ? value : choices[value > 0] * (isinf(value) ? 1 : factors[value > 0]);
}
__kernel void relu(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  if (i < n) y[i] = apply(x[i]);
}
