/* launch
   kernel layer_norm global [128, N] local [128, 1] (x, scale, bias, y, long(C * H * W), local float[128])
*/
#define GROUP 128

float group_sum(float value, __local float* shared) {
  const int lane = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);  // the last result has been read
  shared[lane] = value;
  for (int s = GROUP / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < s) shared[lane] += shared[lane + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return shared[0];
}

// One group per sample; mean first, then the mean squared distance from it.
__kernel void layer_norm(__global const float* x, __global const float* scale, __global const float* bias,
                         __global float* y, const long size, __local float* shared) {
  const int lane = get_local_id(0);
  x += get_group_id(1) * size;
  y += get_group_id(1) * size;

  float sum = 0.0f;
  for (long i = lane; i < size; i += GROUP) sum += x[i];
  const float mean = group_sum(sum, shared) / size;

  float squares = 0.0f;
  for (long i = lane; i < size; i += GROUP) {
    const float d = x[i] - mean;
    squares += d * d;
  }
  const float inverse = rsqrt(group_sum(squares, shared) / size + 1e-5f);

  for (long i = lane; i < size; i += GROUP) y[i] = (x[i] - mean) * inverse * scale[i] + bias[i];
}
