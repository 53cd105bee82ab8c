// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel rotate_heads  global [32, round_up(B * S * H, 8)]  local [32, 8]  (q, cosines, sines, long(B * S * H), S, H)
   kernel rotate_heads  global [32, round_up(B * S * H, 8)]  local [32, 8]  (k, cosines, sines, long(B * S * H), S, H)
*/
__kernel void rotate_heads(__global float* restrict x, __global const float* restrict cosines,
                           __global const float* restrict sines, long heads, long S, long H) {
  const long i = get_global_id(0), head = get_global_id(1);
  if (head >= heads) return;
  const long at = head / H % S * 32 + i;
  __global float* pair = x + head * 64 + i;
  const float first = pair[0], second = pair[32], c = cosines[at], s = sines[at];
  pair[0] = first * c - second * s;
  pair[32] = second * c + first * s;
}
