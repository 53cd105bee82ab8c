/* launch
   kernel softmax_fast global [64, N] local [64, 1] (x, y, int(C), local float[64])
*/
// exp2 is what the hardware has: one multiplication by log2(e) replaces the library's exp.
#define LOG2E 1.4427f

__kernel void softmax_fast(__global const float* x, __global float* y, int C, __local float* tmp) {
  const int l = get_local_id(0);
  __global const float* row = x + (long)get_global_id(1) * C;
  __global float* out = y + (long)get_global_id(1) * C;

  float m = -FLT_MAX;
  for (int c = l; c < C; c += 64) m = fmax(m, row[c]);
  tmp[l] = m;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 64; ++i) m = fmax(m, tmp[i]);
  barrier(CLK_LOCAL_MEM_FENCE);

  float s = 0.0f;
  for (int c = l; c < C; c += 64) s += exp2((row[c] - m) * LOG2E);
  tmp[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  s = 0.0f;
  for (int i = 0; i < 64; ++i) s += tmp[i];

  const float r = 1.0f / s;
  for (int c = l; c < C; c += 64) out[c] = exp2((row[c] - m) * LOG2E) * r;
}
