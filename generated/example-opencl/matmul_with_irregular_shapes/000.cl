/* launch
   kernel matmul global [round_up(N, 16), round_up(M, 16)] local [16, 16]
                 (a, b, c, int(M), int(K), int(N), local float[256], local float[256])
*/
#define T 16

// Tiles of 16x16 in local memory. What sticks out of a or b is loaded as zero, so the inner loop needs no test.
__kernel void matmul(__global const float* a, __global const float* b, __global float* c, int M, int K, int N,
                     __local float* ta, __local float* tb) {
  const int lx = get_local_id(0), ly = get_local_id(1);
  const int col = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    ta[ly * T + lx] = row < M && k0 + lx < K ? a[(long)row * K + k0 + lx] : 0.0f;
    tb[ly * T + lx] = k0 + ly < K && col < N ? b[(long)(k0 + ly) * N + col] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < T; ++k) sum = fma(ta[ly * T + k], tb[k * T + lx], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < M && col < N) c[(long)row * N + col] = sum;
}
