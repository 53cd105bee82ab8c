/* launch
   scratch stats: float[N * 2]
   kernel layer_norm_stats global [N]            local [1]     (x, stats, int(C * H * W))
   kernel layer_norm_apply global [C * H * W, N] local [64, 1] (x, scale, bias, stats, y, int(C * H * W))
*/
__kernel void layer_norm_stats(__global const float* x, __global float* stats, int size) {
  const int n = get_global_id(0);
  float mean = 0.0f;
  for (int i = 0; i < size; ++i) mean += x[n * size + i];
  mean /= size;
  float var = 0.0f;
  for (int i = 0; i < size; ++i) {
    const float d = x[n * size + i] - mean;
    var += d * d;
  }
  var /= size;
  stats[2 * n] = mean;
  stats[2 * n + 1] = rsqrt(var + 1e-5f);
}

__kernel void layer_norm_apply(__global const float* x, __global const float* scale, __global const float* bias,
                               __global const float* stats, __global float* y, int size) {
  const int i = get_global_id(0);
  const int n = get_global_id(1);
  if (i >= size) return;
  const int at = n * size + i;
  y[at] = (x[at] - stats[2 * n]) * stats[2 * n + 1] * scale[i] + bias[i];
}
