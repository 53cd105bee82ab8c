/* launch
   kernel maxpool2d global [OW, OH, N * C] (x, y, int(H), int(W), int(OH), int(OW))
*/
__kernel void maxpool2d(__global const float* x, __global float* y, int H, int W, int OH, int OW) {
  int ow = get_global_id(0);
  int oh = get_global_id(1);
  int nc = get_global_id(2);

  float maxval = 0.0f;
  for (int kh = 0; kh < 4; kh++) {
    for (int kw = 0; kw < 4; kw++) {
      int ih = oh - 1 + kh;
      int iw = ow - 1 + kw;
      float v = (ih >= 0 && ih < H && iw >= 0 && iw < W) ? x[(nc * H + ih) * W + iw] : 0.0f;
      maxval = fmax(maxval, v);
    }
  }
  y[(nc * OH + oh) * OW + ow] = maxval;
}
