// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel examine  global [round_up(N * C, 256)]  local [256]  (x, y, z, long(N * C))
*/
__kernel void examine(__global const float* restrict x, __global uchar* restrict y, __global float* restrict z,
                      long count) {
  const long i = get_global_id(0);
  if (i >= count) return;
  const float v = x[i];
  const bool finite = fabs(v) < INFINITY;
  y[i] = finite;
  z[i] = finite ? v : 0.0f;
}
