/* launch
   scratch best: float[B * 8 * N]
   scratch at: int[B * 8 * N]
   kernel slices global [round_up(N, 64), 8, B] local [64, 1, 1] (x, best, at, M, N)
   kernel join   global [round_up(N, 64), B]    local [64, 1]    (best, at, y, N)
*/
// The axis is cut into 8 slices, so that few columns still fill the device. A slice may be empty.
__kernel void slices(__global const float* x, __global float* best, __global int* at, long M, long N) {
  const long n = get_global_id(0), slice = get_global_id(1), b = get_global_id(2);
  if (n >= N) return;
  const long begin = slice * M / 8, end = (slice + 1) * M / 8;
  float top = 0.0f;
  int where = -1;
  for (long m = begin; m < end; ++m) {
    const float v = x[(b * M + m) * N + n];
    if (where < 0 || v > top) {
      top = v;
      where = (int)m;
    }
  }
  best[(b * 8 + slice) * N + n] = top;
  at[(b * 8 + slice) * N + n] = where;
}

__kernel void join(__global const float* best, __global const int* at, __global long* y, long N) {
  const long n = get_global_id(0), b = get_global_id(1);
  if (n >= N) return;
  float top = 0.0f;
  int where = -1;
  for (int s = 0; s < 8; ++s) {
    const long i = (b * 8 + s) * N + n;
    if (at[i] >= 0 && (where < 0 || best[i] > top)) {
      top = best[i];
      where = at[i];
    }
  }
  y[b * N + n] = where;
}
