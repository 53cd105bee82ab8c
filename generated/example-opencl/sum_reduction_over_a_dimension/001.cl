/* launch
   scratch partial: float[B * div_up(M, 64) * N]
   kernel reduce_chunks global [round_up(N, 32), div_up(M, 64), B] local [32, 1, 1] (x, partial, M, N)
   kernel reduce_rest   global [round_up(N, 32), B]                local [32, 1]    (partial, y, long(div_up(M, 64)), N)
*/
// Two levels: 64 rows per work-item, then the partial sums. Short chains lose little.
__kernel void reduce_chunks(__global const float* x, __global float* partial, long M, long N) {
  const long n = get_global_id(0), chunk = get_global_id(1), b = get_global_id(2);
  if (n >= N) return;
  const long end = min(M, (chunk + 1) * 64);
  float sum = 0.0f;
  for (long m = chunk * 64; m < end; ++m) sum += x[(b * M + m) * N + n];
  partial[(b * get_global_size(1) + chunk) * N + n] = sum;
}

__kernel void reduce_rest(__global const float* partial, __global float* y, long chunks, long N) {
  const long n = get_global_id(0), b = get_global_id(1);
  if (n >= N) return;
  float sum = 0.0f;
  for (long c = 0; c < chunks; ++c) sum += partial[(b * chunks + c) * N + n];
  y[b * N + n] = sum;
}
