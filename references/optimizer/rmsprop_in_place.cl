// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel update  global [round_up(N, 256)]  local [256]  (param, square, grad, N)
*/
__kernel void update(__global float* restrict param, __global float* restrict square,
                     __global const float* restrict grad, long N) {
  const long i = get_global_id(0);
  if (i >= N) return;
  const float g = grad[i], mean = 0.99f * square[i] + 0.01f * (g * g);
  square[i] = mean;
  param[i] -= 0.001f * g / (sqrt(mean) + 1e-8f);
}
