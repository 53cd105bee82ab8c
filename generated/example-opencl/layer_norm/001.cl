/* launch
   kernel layer_norm global [32 * N] local [32] (x, scale, bias, y, long(C * H * W))
*/
// Single pass over the data: sum and sum of squares together, var = E[x^2] - E[x]^2.
__kernel void layer_norm(__global const float* x, __global const float* scale, __global const float* bias,
                         __global float* y, long size) {
  __local float s1[32];
  __local float s2[32];
  const int t = get_local_id(0);
  const long base = get_group_id(0) * size;

  float a = 0.0f, b = 0.0f;
  for (long i = t; i < size; i += 32) {
    const float v = x[base + i];
    a += v;
    b += v * v;
  }
  s1[t] = a;
  s2[t] = b;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 16; s > 0; s >>= 1) {
    if (t < s) {
      s1[t] += s1[t + s];
      s2[t] += s2[t + s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  const float mean = s1[0] / size;
  const float var = s2[0] / size - mean * mean;
  const float rstd = 1.0f / sqrt(var + 1e-5f);
  for (long i = t; i < size; i += 32) y[base + i] = (x[base + i] - mean) * rstd * scale[i] + bias[i];
}
