/* launch
   kernel matmul global [round_up(N, 16), round_up(M, 16)] local [16, 16] (a, b, c, int(M), int(K), int(N))
*/
#define TILE 16

__kernel void matmul(__global const float* a, __global const float* b, __global float* c, int M, int K, int N) {
  __local float As[TILE][TILE];
  __local float Bs[TILE][TILE];
  int row = get_global_id(1);
  int col = get_global_id(0);
  int ty = get_local_id(1);
  int tx = get_local_id(0);

  float acc = 0.0f;
  for (int t = 0; t < K / TILE; t++) {
    As[ty][tx] = row < M ? a[row * K + t * TILE + tx] : 0.0f;
    Bs[ty][tx] = col < N ? b[(t * TILE + ty) * N + col] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; k++) acc += As[ty][k] * Bs[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < M && col < N) c[row * N + col] = acc;
}
