/* launch
   kernel argmax global [round_up(N, 64), B] local [64, 1] (x, y, M, N)
*/
__kernel void argmax(__global const float* x, __global long* y, long M, long N) {
  const long n = get_global_id(0), b = get_global_id(1);
  if (n >= N) return;
  __global const float* column = x + b * M * N + n;
  float best = column[0];
  long at = 0;
  for (long m = 1; m < M; ++m) {
    const float v = column[m * N];
    if (v > best) {  // strictly: the first of equal ones wins
      best = v;
      at = m;
    }
  }
  y[b * N + n] = at;
}
