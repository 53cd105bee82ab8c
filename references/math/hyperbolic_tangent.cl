// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel hyperbolic_tangent  global [round_up(N * C, 256)]  local [256]  (x, y, long(N * C))
*/
__kernel void hyperbolic_tangent(__global const float* restrict x, __global float* restrict y, long count) {
  const long i = get_global_id(0);
  if (i < count) y[i] = tanh(x[i]);
}
