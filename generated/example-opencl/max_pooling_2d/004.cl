/* launch
   # a padded copy of the input, sized for the largest batch: 32 x 64 images of 512 x 512
   scratch padded: float[32 * 64 * (512 + 3) * (512 + 3)]
   kernel pad_input global [W + 3, H + 3, N * C] (x, padded, int(H), int(W))
   kernel pool      global [OW, OH, N * C]       (padded, y, int(W + 3), int(H + 3))
*/
// Padding once removes every bounds check from the pooling loop.
__kernel void pad_input(__global const float* x, __global float* padded, int H, int W) {
  const int w = (int)get_global_id(0) - 1, h = (int)get_global_id(1) - 1;
  const size_t plane = get_global_id(2);
  const size_t at = (plane * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
  const int inside = w >= 0 && w < W && h >= 0 && h < H;
  padded[at] = inside ? x[(plane * H + h) * W + w] : -FLT_MAX;
}

__kernel void pool(__global const float* padded, __global float* y, int PW, int PH) {
  const size_t ow = get_global_id(0), oh = get_global_id(1), plane = get_global_id(2);
  __global const float* p = padded + (plane * PH + oh) * PW + ow;
  float4 m = vload4(0, p);
  m = max(m, vload4(0, p + PW));
  m = max(m, vload4(0, p + 2 * PW));
  m = max(m, vload4(0, p + 3 * PW));
  y[(plane * get_global_size(1) + oh) * get_global_size(0) + ow] = max(max(m.x, m.y), max(m.z, m.w));
}
