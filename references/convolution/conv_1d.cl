// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve  global [round_up(div_up(OL, 16), 8), round_up(div_up(O, 8), 4), N]  local [8, 4, 1]  (x, w, y, C, L, O, OL)
*/
// A work-item computes 16 neighbouring positions of 8 output channels, whose sums stay in registers over all input channels. The last
// positions of a row move back to be sixteen, too, and those that are its own are stored. Channels past the end repeat the last one and are
// dropped.
#define CHANNELS 8
#define POSITIONS 16
#define TAPS 3

float16 load_positions(__global const float* row, int width) {
  if (width == POSITIONS) return vload16(0, row);
  float lanes[POSITIONS];
  for (int i = 0; i < POSITIONS; ++i) lanes[i] = row[min(i, width - 1)];
  return vload16(0, lanes);
}

// Stores the lanes from `skip` on.
void store_positions(float16 v, __global float* row, int skip, int width) {
  if (skip == 0 && width == POSITIONS) {
    vstore16(v, 0, row);
    return;
  }
  float lanes[POSITIONS];
  vstore16(v, 0, lanes);
  for (int i = skip; i < width; ++i) row[i] = lanes[i];
}

__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void convolve(__global const float* restrict x, __global const float* restrict w,
                                                                      __global float* restrict y, long C, long L, long O, long OL) {
  const long position = (long)get_global_id(0) * POSITIONS, channel = (long)get_global_id(1) * CHANNELS, n = get_global_id(2);
  if (position >= OL || channel >= O) return;
  const int width = (int)min(OL, (long)POSITIONS);
  const long first = min(position, OL - width);
  x += n * C * L + first;
  __global const float* weights[CHANNELS];
  float16 sum[CHANNELS];
#pragma unroll
  for (int o = 0; o < CHANNELS; ++o) {
    weights[o] = w + min(channel + o, O - 1) * C * TAPS;
    sum[o] = 0.0f;
  }
  for (long c = 0; c < C; ++c) {
#pragma unroll
    for (int tap = 0; tap < TAPS; ++tap) {
      const float16 v = load_positions(x + c * L + tap, width);
#pragma unroll
      for (int o = 0; o < CHANNELS; ++o) sum[o] += weights[o][c * TAPS + tap] * v;
    }
  }
#pragma unroll
  for (int o = 0; o < CHANNELS; ++o)
    if (channel + o < O) store_positions(sum[o], y + (n * O + channel + o) * OL + first, (int)(position - first), width);
}
