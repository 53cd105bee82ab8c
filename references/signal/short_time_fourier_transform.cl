// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel transform  global [64 * B * (F + 1)]  local [64]  (x, y, F)
*/
// A work-group has a frame: it puts the windowed samples and a table of turns in local memory, then each
// work-item sums the 200 terms of every 64th frequency.
#define ITEMS 64
#define TERMS 200

__kernel void transform(__global const float* restrict x, __global float* restrict y, long F) {
  __local float samples[TERMS], cosines[256], sines[256];
  const int item = get_local_id(0);
  const long frames = F + 1, frame = get_group_id(0) % frames, b = get_group_id(0) / frames, count = 64 * F;
  for (int i = item; i < TERMS; i += ITEMS) {
    const long at = frame * 64 - 100 + i, reflected = at < 0 ? -at : at < count ? at : 2 * (count - 1) - at;
    samples[i] = x[b * count + reflected] * (0.5f - 0.5f * cospi(i / 100.0f));
  }
  for (int i = item; i < 256; i += ITEMS) {
    cosines[i] = cospi(i / 128.0f);
    sines[i] = sinpi(i / 128.0f);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = item; k < 129; k += ITEMS) {
    float real = 0, imaginary = 0;
    for (int i = 0; i < TERMS; ++i) {
      const int turn = k * (i + 28) % 256;
      real += samples[i] * cosines[turn];
      imaginary -= samples[i] * sines[turn];
    }
    vstore2((float2)(real, imaginary), (b * 129 + k) * frames + frame, y);
  }
}
