/* launch
   kernel argmax global [64, N, B] local [64, 1, 1] (x, y, M, N)
*/
__kernel void argmax(__global const float* x, __global long* y, long M, long N) {
  __local float vals[64];
  __local long idxs[64];
  const int t = get_local_id(0);
  const long n = get_group_id(1);
  const long b = get_group_id(2);

  vals[t] = -INFINITY;
  idxs[t] = 0;
  for (long m = t; m < M; m += 64) {
    float v = x[b * M * N + m * N + n];
    if (v > vals[t]) {
      vals[t] = v;
      idxs[t] = m;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // Parallel reduction
  for (int stride = 32; stride > 0; stride >>= 1) {
    if (t < stride && vals[t + stride] >= vals[t]) {
      vals[t] = vals[t + stride];
      idxs[t] = idxs[t + stride];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) y[b * N + n] = idxs[0];
}
