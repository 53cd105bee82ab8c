/* launch
   kernel masked_cumsum global [round_up(C, 256), N] local [256, 1] (x, mask, y, int(C))
*/
#define BLOCK 256

// Work-efficient scan: up-sweep, down-sweep, then the element itself is added to make it inclusive.
__kernel void masked_cumsum(__global const float* x, __global const uchar* mask, __global float* y, int C) {
  __local float temp[BLOCK];
  const int tid = get_local_id(0);
  const int c = get_global_id(0);
  const int row = get_global_id(1);

  const float own = c < C && mask[row * C + c] ? x[row * C + c] : 0.0f;
  temp[tid] = own;

  int offset = 1;
  for (int d = BLOCK >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < d) temp[offset * (2 * tid + 2) - 1] += temp[offset * (2 * tid + 1) - 1];
    offset <<= 1;
  }
  if (tid == 0) temp[BLOCK - 1] = 0.0f;
  for (int d = 1; d < BLOCK; d <<= 1) {
    offset >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < d) {
      const int left = offset * (2 * tid + 1) - 1;
      const int right = offset * (2 * tid + 2) - 1;
      const float t = temp[left];
      temp[left] = temp[right];
      temp[right] += t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (c < C) y[row * C + c] = temp[tid] + own;
}
