/* launch
   kernel cumsum_rows global [N] (x, mask, y, C)
*/
// A row is a chain of additions, so each work-item takes a whole row.
__kernel void cumsum_rows(__global const float* x, __global const uchar* mask, __global float* y, long C) {
  const size_t first = get_global_id(0) * C;
  float sum = 0.0f;
  for (size_t i = first; i < first + C; ++i) {
    if (mask[i]) sum += x[i];
    y[i] = sum;
  }
}
