/* launch
   kernel masked_cumsum global [256, N] local [256, 1] (x, mask, y, C)
*/
__kernel void masked_cumsum(__global const float* x, __global const int* mask, __global float* y, long C) {
  __local float temp[256];
  const int tid = get_local_id(0);
  const long row = get_group_id(1);
  float offset = 0.0f;

  for (long start = 0; start < C; start += 256) {
    const long c = start + tid;
    temp[tid] = (c < C && mask[row * C + c] != 0) ? x[row * C + c] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 256; d <<= 1) {
      const float t = tid >= d ? temp[tid - d] : 0.0f;
      barrier(CLK_LOCAL_MEM_FENCE);
      temp[tid] += t;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (c < C) y[row * C + c] = offset + temp[tid];
    offset += temp[255];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
