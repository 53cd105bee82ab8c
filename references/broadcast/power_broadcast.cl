// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel raise  global [round_up(C, 64), N]  local [64, 1]  (x, exponent, y, C)
*/
__kernel void raise(__global const float* restrict x, __global const float* restrict exponent,
                    __global float* restrict y, long C) {
  const long c = get_global_id(0), n = get_global_id(1);
  if (c < C) y[n * C + c] = pow(x[n * C + c], exponent[c]);
}
