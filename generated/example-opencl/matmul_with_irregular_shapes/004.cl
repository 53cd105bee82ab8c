/* launch
   kernel matmul global [N, M] (a, b, c, K)
*/
template <int UNROLL>
inline float dot_row(__global const float* a, __global const float* b, size_t K, size_t N) {
  float sum[UNROLL] = {0};
  size_t k = 0;
  for (; k + UNROLL <= K; k += UNROLL)
    for (int u = 0; u < UNROLL; ++u) sum[u] += a[k + u] * b[(k + u) * N];
  for (; k < K; ++k) sum[0] += a[k] * b[k * N];
  float total = 0.0f;
  for (int u = 0; u < UNROLL; ++u) total += sum[u];
  return total;
}

__kernel void matmul(__global const float* a, __global const float* b, __global float* c, long K) {
  const size_t col = get_global_id(0), row = get_global_id(1), N = get_global_size(0);
  c[row * N + col] = dot_row<4>(a + row * K, b + col, K, N);
}
