/* launch
   scratch partial: float[B * div_up(M, 16) * N]
   kernel sum global [N, div_up(M, 16), B] local [1, 1, 1] (x, partial, y, M)
*/
// Single pass: each group sums 16 rows of its column, and the last group of the column adds up the partial sums.
// No second launch is needed.
__kernel void sum(__global const float* x, __global float* partial, __global float* y, long M) {
  const long n = get_group_id(0), chunk = get_group_id(1), b = get_group_id(2);
  const long N = get_num_groups(0), chunks = get_num_groups(1);
  const long end = min((chunk + 1) * 16, M);

  float s = 0.0f;
  for (long m = chunk * 16; m < end; ++m) s += x[(b * M + m) * N + n];
  partial[(b * chunks + chunk) * N + n] = s;
  mem_fence(CLK_GLOBAL_MEM_FENCE);

  if (chunk == chunks - 1) {
    float total = 0.0f;
    for (long c = 0; c < chunks; ++c) total += partial[(b * chunks + c) * N + n];
    y[b * N + n] = total;
  }
}
