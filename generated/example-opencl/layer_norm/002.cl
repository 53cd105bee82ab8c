/* launch
   scratch mean: float[N]
   scratch rstd: float[N]
   kernel statistics global [N]            (x, mean, rstd, long(C * H * W))
   kernel normalise  global [C * H * W, N] (x, mean, rstd, scale, bias, y)
*/
// The statistics are small, so they can afford double; the normalisation is one element per work-item.
__kernel void statistics(__global const float* x, __global float* mean, __global float* rstd, long size) {
  const size_t n = get_global_id(0);
  double sum = 0.0;
  for (long i = 0; i < size; ++i) sum += x[n * size + i];
  const double centre = sum / size;
  double squares = 0.0;
  for (long i = 0; i < size; ++i) {
    const double d = x[n * size + i] - centre;
    squares += d * d;
  }
  mean[n] = (float)centre;
  rstd[n] = (float)(1.0 / sqrt(squares / size + 1e-5));
}

__kernel void normalise(__global const float* x, __global const float* mean, __global const float* rstd,
                        __global const float* scale, __global const float* bias, __global float* y) {
  const size_t i = get_global_id(0), n = get_global_id(1);
  const size_t at = n * get_global_size(0) + i;
  y[at] = (x[at] - mean[n]) * rstd[n] * scale[i] + bias[i];
}
