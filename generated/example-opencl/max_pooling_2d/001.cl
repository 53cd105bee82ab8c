/* launch
   scratch rows: float[N * C * H * OW]
   kernel pool_rows    global [round_up(OW, 16), H, N * C]  local [16, 1, 1] (x, rows, int(W), int(OW))
   kernel pool_columns global [round_up(OW, 16), OH, N * C] local [16, 1, 1] (rows, y, int(H), int(OW))
*/
// A 4x4 maximum is a 1x4 maximum followed by a 4x1 maximum: 8 reads instead of 16.
__kernel void pool_rows(__global const float* x, __global float* rows, int W, int OW) {
  const int ow = get_global_id(0);
  if (ow >= OW) return;
  const size_t line = get_global_id(2) * get_global_size(1) + get_global_id(1);
  float best = -INFINITY;
  for (int w = max(ow - 1, 0); w < min(ow + 3, W); ++w) best = max(best, x[line * W + w]);
  rows[line * OW + ow] = best;
}

__kernel void pool_columns(__global const float* rows, __global float* y, int H, int OW) {
  const int ow = get_global_id(0), oh = get_global_id(1);
  if (ow >= OW) return;
  const size_t plane = get_global_id(2);
  float best = -INFINITY;
  for (int h = max(oh - 1, 0); h < min(oh + 3, H); ++h) best = max(best, rows[(plane * H + h) * OW + ow]);
  y[(plane * get_global_size(1) + oh) * OW + ow] = best;
}
