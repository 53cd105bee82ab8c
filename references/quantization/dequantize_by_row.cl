// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel dequantize  global [round_up(C, 64), N]  local [64, 1]  (q, largest, y, C)
*/
__kernel void dequantize(__global const char* restrict q, __global const float* restrict largest,
                         __global half* restrict y, long C) {
  const long c = get_global_id(0), n = get_global_id(1);
  if (c < C) vstore_half_rte(q[n * C + c] * largest[n] / 127.0f, n * C + c, y);
}
