// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel upsample grid [N * C * H, div_up(W * S, 1024)] block [256] (x, y, int(W), int(S))
*/
// A block has a piece of an input row, stretched, and writes it S times. Each thread works out four columns once, and stores them together
// where output rows are a multiple of four.
extern "C" __global__ void upsample(const float* __restrict__ x, float* __restrict__ y, int W, int S) {
  const int width = W * S, first = (blockIdx.y * 256 + threadIdx.x) * 4;
  if (first >= width) return;
  const float* in = x + (long long)blockIdx.x * W;
  float* out = y + (long long)blockIdx.x * S * width + first;
  const int count = min(4, width - first);
  float v[4] = {};
  for (int i = 0; i < count; ++i) v[i] = in[(unsigned)(first + i) / (unsigned)S];
  if (width % 4 == 0) {
    const float4 all = make_float4(v[0], v[1], v[2], v[3]);
    for (int s = 0; s < S; ++s) *reinterpret_cast<float4*>(out + (long long)s * width) = all;
    return;
  }
  for (int s = 0; s < S; ++s)
    for (int i = 0; i < count; ++i) out[(long long)s * width + i] = v[i];
}
