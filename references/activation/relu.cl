// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel relu_float8 global [round_up(div_up(N * C, 8), 64)] local [64] (x, y, long(N * C))
*/
__kernel void relu_float8(__global const float* x, __global float* y, long n) {
  long i = get_global_id(0);
  if (8 * i + 8 <= n) {
    vstore8(fmax(vload8(i, x), (float8)(0)), i, y);
  } else {
    for (long k = 8 * i; k < n; ++k) y[k] = fmax(x[k], 0.0f);
  }
}
