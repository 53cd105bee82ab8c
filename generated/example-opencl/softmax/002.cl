/* launch
   scratch sums: float[N]
   kernel row_sums    global [N]    (x, sums, C)
   kernel divide_rows global [C, N] (x, sums, y)
*/
__kernel void row_sums(__global const float* x, __global float* sums, long C) {
  size_t row = get_global_id(0);
  float sum = 0.0f;
  for (long c = 0; c < C; c++) {
    sum += exp(x[row * C + c]);
  }
  sums[row] = sum;
}

__kernel void divide_rows(__global const float* x, __global const float* sums, __global float* y) {
  size_t c = get_global_id(0);
  size_t row = get_global_id(1);
  size_t at = row * get_global_size(0) + c;
  y[at] = exp(x[at]) / sums[row];
}
