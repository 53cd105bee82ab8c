// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply_rows  global [round_up(div_up(N, 16), 16), B]  local [16, 1]  (x, y, M, N)
*/
// A work-item multiplies sixteen neighbouring columns down the axis, in double: neither the rounding nor the range of a
// partial product matters then. The last work-item of a row moves back to have sixteen columns, too, and stores those
// that are its own.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define COLUMNS 16

// One column, for rows narrower than a vector.
float multiply_column(__global const float* x, long M, long N) {
  double product = 1;
  for (long m = 0; m < M; ++m) product *= x[m * N];
  return (float)product;
}

float16 multiply_columns(__global const float* x, long M, long N) {
  double8 left = 1, right = 1;
  for (long m = 0; m < M; ++m, x += N) {
    left *= convert_double8(vload8(0, x));
    right *= convert_double8(vload8(1, x));
  }
  return (float16)(convert_float8(left), convert_float8(right));
}

__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void multiply_rows(__global const float* restrict x,
                                                                            __global float* restrict y, long M,
                                                                            long N) {
  const long column = (long)get_global_id(0) * COLUMNS;
  if (column >= N) return;
  x += get_group_id(1) * M * N;
  y += get_group_id(1) * N;
  if (N < COLUMNS) {
    for (long n = 0; n < N; ++n) y[n] = multiply_column(x + n, M, N);
    return;
  }
  const long first = min(column, N - COLUMNS);
  const float16 product = multiply_columns(x + first, M, N);
  if (first == column) {
    vstore16(product, 0, y + column);
    return;
  }
  float lanes[COLUMNS];
  vstore16(product, 0, lanes);
  for (long n = column; n < N; ++n) y[n] = lanes[n - first];
}
