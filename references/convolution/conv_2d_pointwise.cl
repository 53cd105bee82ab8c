// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve  global [round_up(div_up(OH * OW, 16), 8), round_up(div_up(O, 8), 8), N]  local [8, 8, 1]
                    (x, w, y, C, O, long(OH * OW))
*/
// An image is a product of w and a matrix with a row for each input channel. A work-item computes 16 neighbouring pixels of 8 output
// channels, whose sums stay in registers over all input channels. The last pixels of a plane move back to be sixteen, too, and those that
// are its own are stored. Channels past the end repeat the last one and are dropped.
#define CHANNELS 8
#define PIXELS 16

float16 load_pixels(__global const float* plane, int width) {
  if (width == PIXELS) return vload16(0, plane);
  float lanes[PIXELS];
  for (int i = 0; i < PIXELS; ++i) lanes[i] = plane[min(i, width - 1)];
  return vload16(0, lanes);
}

// Stores the lanes from `skip` on.
void store_pixels(float16 v, __global float* plane, int skip, int width) {
  if (skip == 0 && width == PIXELS) {
    vstore16(v, 0, plane);
    return;
  }
  float lanes[PIXELS];
  vstore16(v, 0, lanes);
  for (int i = skip; i < width; ++i) plane[i] = lanes[i];
}

__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void convolve(__global const float* restrict x, __global const float* restrict w,
                                                                      __global float* restrict y, long C, long O, long size) {
  const long pixel = (long)get_global_id(0) * PIXELS, channel = (long)get_global_id(1) * CHANNELS, n = get_global_id(2);
  if (pixel >= size || channel >= O) return;
  const int width = (int)min(size, (long)PIXELS);
  const long first = min(pixel, size - width);
  x += n * C * size + first;
  __global const float* weights[CHANNELS];
  float16 sum[CHANNELS];
#pragma unroll
  for (int o = 0; o < CHANNELS; ++o) {
    weights[o] = w + min(channel + o, O - 1) * C;
    sum[o] = 0.0f;
  }
  for (long c = 0; c < C; ++c) {
    const float16 v = load_pixels(x + c * size, width);
#pragma unroll
    for (int o = 0; o < CHANNELS; ++o) sum[o] += weights[o][c] * v;
  }
#pragma unroll
  for (int o = 0; o < CHANNELS; ++o)
    if (channel + o < O) store_pixels(sum[o], y + (n * O + channel + o) * size + first, (int)(pixel - first), width);
}
