/* launch
   kernel max_pool global [OW, OH, N * C] (x, y, int(H), int(W))
*/
// One output per work-item; the window is clipped to the image, so the padding never takes part.
__kernel void max_pool(__global const float* x, __global float* y, int H, int W) {
  const int ow = get_global_id(0), oh = get_global_id(1);
  const size_t plane = get_global_id(2);
  const int top = max(oh - 1, 0), bottom = min(oh + 3, H);
  const int left = max(ow - 1, 0), right = min(ow + 3, W);
  __global const float* image = x + plane * H * W;
  float best = image[top * W + left];
  for (int h = top; h < bottom; ++h)
    for (int w = left; w < right; ++w) best = fmax(best, image[h * W + w]);
  y[(plane * get_global_size(1) + oh) * get_global_size(0) + ow] = best;
}
