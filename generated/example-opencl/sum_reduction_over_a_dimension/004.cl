/* launch
   kernel clear global [B * N]    (y)
   kernel add   global [N, M, B]  (x, y, M, N)
*/
__kernel void clear(__global float* y) { y[get_global_id(0)] = 0.0f; }

__kernel void add(__global const float* x, __global float* y, long M, long N) {
  const size_t n = get_global_id(0);
  const size_t m = get_global_id(1);
  const size_t b = get_global_id(2);
  atomic_add(&y[b * N + n], x[(b * M + m) * N + n]);
}
