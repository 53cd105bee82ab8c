/* launch
   kernel column_sums global [N, B] (x, y, M)
*/
// Neighbouring work-items read neighbouring columns; a double accumulator keeps long sums accurate.
__kernel void column_sums(__global const float* x, __global float* y, long M) {
  const size_t n = get_global_id(0), N = get_global_size(0), b = get_global_id(1);
  __global const float* column = x + b * M * N + n;
  double sum = 0.0;
  for (long m = 0; m < M; ++m) sum += column[m * N];
  y[b * N + n] = (float)sum;
}
