/* launch
   kernel scan global [128, N] local [128, 1] (x, mask, y, C, local float[256])
*/
#define G 128

// Hillis-Steele scan of 128 columns at a time with two buffers; the carry goes from tile to tile.
__kernel void scan(__global const float* x, __global const uchar* mask, __global float* y, long C,
                   __local float* buffers) {
  const int lane = get_local_id(0);
  const long base = get_group_id(1) * C;
  float carry = 0.0f;
  for (long tile = 0; tile < C; tile += G) {
    const long c = tile + lane;
    __local float* from = buffers;
    __local float* to = buffers + G;
    from[lane] = c < C && mask[base + c] ? x[base + c] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < G; d *= 2) {
      to[lane] = from[lane] + (lane >= d ? from[lane - d] : 0.0f);
      barrier(CLK_LOCAL_MEM_FENCE);
      __local float* swap = from;
      from = to;
      to = swap;
    }
    if (c < C) y[base + c] = carry + from[lane];
    carry += from[G - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
