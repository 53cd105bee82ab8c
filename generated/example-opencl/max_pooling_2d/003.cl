/* launch
   kernel max_pool_tiled global [round_up(OW, 16), round_up(OH, 16), N * C] local [16, 16, 1]
                         (x, y, int(H), int(W), int(OH), int(OW), local float[19 * 19])
*/
#define T 16
#define S (T + 3)

// The 19x19 inputs of a 16x16 tile of outputs are loaded once into local memory.
__kernel void max_pool_tiled(__global const float* x, __global float* y, int H, int W, int OH, int OW,
                             __local float* tile) {
  const int lx = get_local_id(0), ly = get_local_id(1);
  const int h0 = (int)get_group_id(1) * T - 1, w0 = (int)get_group_id(0) * T - 1;
  const size_t plane = get_global_id(2);
  for (int i = ly * T + lx; i < S * S; i += T * T) {
    const int h = h0 + i / S, w = w0 + i % S;
    tile[i] = h >= 0 && h < H && w >= 0 && w < W ? x[(plane * H + h) * W + w] : -INFINITY;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  float best = -INFINITY;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) best = fmax(best, tile[(ly + i) * S + lx + j]);
  const int oh = get_global_id(1), ow = get_global_id(0);
  if (oh < OH && ow < OW) y[(plane * OH + oh) * OW + ow] = best;
}
