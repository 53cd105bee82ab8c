/* launch
   kernel layer_norm global [min(C * H * W, 256), N] local [min(C * H * W, 256), 1]
                     (x, scale, bias, y, long(C * H * W), local float[min(C * H * W, 256)])
*/
// The group is never larger than the sample, so no lane idles. Its size need not be a power of two: each step of the
// tree halves the count and rounds up.
float reduce(float value, __local float* shared) {
  const int lane = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  shared[lane] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  int count = get_local_size(0);
  while (count > 0) {
    const int half_count = (count + 1) / 2;
    if (lane + half_count < count) shared[lane] += shared[lane + half_count];
    barrier(CLK_LOCAL_MEM_FENCE);
    count = half_count;
  }
  return shared[0];
}

__kernel void layer_norm(__global const float* x, __global const float* scale, __global const float* bias,
                         __global float* y, long size, __local float* shared) {
  const int lanes = get_local_size(0), lane = get_local_id(0);
  const long base = get_group_id(1) * size;
  float sum = 0.0f;
  for (long i = lane; i < size; i += lanes) sum += x[base + i];
  const float mean = reduce(sum, shared) / size;
  float squares = 0.0f;
  for (long i = lane; i < size; i += lanes) squares += (x[base + i] - mean) * (x[base + i] - mean);
  const float rstd = rsqrt(reduce(squares, shared) / size + 1e-5f);
  for (long i = lane; i < size; i += lanes) y[base + i] = (x[base + i] - mean) * rstd * scale[i] + bias[i];
}
