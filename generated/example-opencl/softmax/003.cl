/* launch
   scratch tops: float[N * div_up(C, 512)]
   scratch sums: float[N * div_up(C, 512)]
   scratch row_top: float[N]
   scratch row_scale: float[N]
   kernel tiles  global [div_up(C, 512), N] (x, tops, sums, C)
   kernel merge  global [N]                 (tops, sums, row_top, row_scale, int(div_up(C, 512)))
   kernel finish global [C, N]              (x, row_top, row_scale, y)
*/
// Online softmax: every tile of 512 columns keeps its own maximum and the sum relative to it; merging two tiles
// rescales the sums to the larger maximum.
#define TILE 512

__kernel void tiles(__global const float* x, __global float* tops, __global float* sums, long C) {
  const size_t tile = get_global_id(0), row = get_global_id(1);
  const long begin = tile * TILE, end = min(begin + TILE, C);
  float top = -INFINITY, sum = 0.0f;
  for (long c = begin; c < end; ++c) {
    const float v = x[row * C + c];
    if (v > top) {
      sum = sum * exp(top - v) + 1.0f;
      top = v;
    } else {
      sum += exp(v - top);
    }
  }
  tops[row * get_global_size(0) + tile] = top;
  sums[row * get_global_size(0) + tile] = sum;
}

__kernel void merge(__global const float* tops, __global const float* sums, __global float* row_top,
                    __global float* row_scale, int tiles) {
  const size_t row = get_global_id(0);
  float top = tops[row * tiles];
  for (int t = 1; t < tiles; ++t) top = fmax(top, tops[row * tiles + t]);
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) sum += sums[row * tiles + t] * exp(tops[row * tiles + t] - top);
  row_top[row] = top;
  row_scale[row] = 1.0f / sum;
}

__kernel void finish(__global const float* x, __global const float* row_top, __global const float* row_scale,
                     __global float* y) {
  const size_t row = get_global_id(1);
  const size_t at = row * get_global_size(0) + get_global_id(0);
  y[at] = exp(x[at] - row_top[row]) * row_scale[row];
}
