// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel and_bits  global [round_up(N * C, 256)]  local [256]  (a, b, y, long(N * C))
*/
__kernel void and_bits(__global const int* restrict a, __global const int* restrict b, __global int* restrict y,
                       long count) {
  const long i = get_global_id(0);
  if (i < count) y[i] = a[i] & b[i];
}
