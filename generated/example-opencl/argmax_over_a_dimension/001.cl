/* launch
   kernel argmax global [32, N, B] local [32, 1, 1] (x, y, int(M), local float[32], local int[32])
*/
// 32 work-items share a column; the tree compares (value, position) so that ties go to the smaller position.
__kernel void argmax(__global const float* x, __global long* y, int M, __local float* value, __local int* where) {
  const int lane = get_local_id(0);
  const size_t n = get_global_id(1), N = get_global_size(1), b = get_global_id(2);

  float best = -INFINITY;
  int at = INT_MAX;
  for (int m = lane; m < M; m += 32) {
    const float v = x[(b * M + m) * N + n];
    if (v > best || at == INT_MAX) {
      best = v;
      at = m;
    }
  }
  value[lane] = best;
  where[lane] = at;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int s = 16; s > 0; s >>= 1) {
    if (lane < s) {
      const float v = value[lane + s];
      const int w = where[lane + s];
      if (v > value[lane] || (v == value[lane] && w < where[lane])) {
        value[lane] = v;
        where[lane] = w;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) y[b * N + n] = where[0];
}
