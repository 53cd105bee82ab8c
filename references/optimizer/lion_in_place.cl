// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel update  global [round_up(N, 256)]  local [256]  (param, momentum, grad, N)
*/
__kernel void update(__global float* restrict param, __global float* restrict momentum,
                     __global const float* restrict grad, long N) {
  const long i = get_global_id(0);
  if (i >= N) return;
  const float g = grad[i], m = momentum[i], direction = 0.9f * m + 0.1f * g;
  const float way = direction > 0 ? 1.0f : direction < 0 ? -1.0f : direction;  // 0 or a NaN
  param[i] = 0.9999f * param[i] - 0.01f * way;
  momentum[i] = 0.99f * m + 0.01f * g;
}
