/* launch
   kernel softmax_rows global [256, N] local [256, 1] (x, y, C, local float[256])
*/
#define GROUP 256

// One work-group per row: maximum, sum of exponentials, division.
__kernel void softmax_rows(__global const float* x, __global float* y, const long C, __local float* shared) {
  const int lane = get_local_id(0);
  const long row = get_global_id(1);
  x += row * C;
  y += row * C;

  float top = -INFINITY;
  for (long c = lane; c < C; c += GROUP) top = fmax(top, x[c]);
  shared[lane] = top;
  for (int s = GROUP / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < s) shared[lane] = fmax(shared[lane], shared[lane + s]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  top = shared[0];
  barrier(CLK_LOCAL_MEM_FENCE);  // everybody has read shared[0] before it is written again

  float sum = 0.0f;
  for (long c = lane; c < C; c += GROUP) sum += exp(x[c] - top);
  shared[lane] = sum;
  for (int s = GROUP / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < s) shared[lane] += shared[lane + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const float scale = 1.0f / shared[0];

  for (long c = lane; c < C; c += GROUP) y[c] = exp(x[c] - top) * scale;
}
