// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel compare  global [round_up(N * C, 256)]  local [256]  (a, b, y, long(N * C))
*/
__kernel void compare(__global const float* restrict a, __global const float* restrict b,
                      __global uchar* restrict y, long count) {
  const long i = get_global_id(0);
  if (i < count) y[i] = a[i] == b[i];
}
