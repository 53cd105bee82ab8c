/* launch
   kernel softmax global [round_up(N, 8)] local [8] (x, y, N, C)
*/
// Each work-item owns a row. The exponentials are kept in y, so exp is evaluated once per element.
__kernel void softmax(__global const float* x, __global float* y, long N, long C) {
  long n = get_global_id(0);
  if (n >= N) return;
  __global const float* in = x + n * C;
  __global float* out = y + n * C;

  float m = in[0];
  for (long c = 1; c < C; ++c) m = max(m, in[c]);

  double total = 0.0;
  for (long c = 0; c < C; ++c) {
    float e = exp(in[c] - m);
    out[c] = e;
    total += e;
  }

  float inv = (float)(1.0 / total);
  for (long c = 0; c < C; ++c) out[c] *= inv;
}
