/* launch
   kernel column_sums global [N, B] (x, y, M)
*/
// Neighbouring work-items read neighbouring columns. Kahan's compensation keeps long sums accurate in float.
__kernel void column_sums(__global const float* x, __global float* y, long M) {
  const size_t n = get_global_id(0), N = get_global_size(0), b = get_global_id(1);
  __global const float* column = x + b * M * N + n;
  float sum = 0.0f, lost = 0.0f;
  for (long m = 0; m < M; ++m) {
    const float term = column[m * N] - lost;
    const float next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  y[b * N + n] = sum;
}
