// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel drop  global [round_up(N * C, 256)]  local [256]  (x, key, first, y, long(N * C))
*/
// Philox4x32-10; a work-item has a counter.
__kernel void drop(__global const float* restrict x, __global const long* restrict key,
                   __global const long* restrict first, __global float* restrict y, long count) {
  const long i = get_global_id(0);
  if (i >= count) return;
  const ulong counter = (ulong)*first + i, k = (ulong)*key;
  uint4 c = (uint4)((uint)counter, (uint)(counter >> 32), 0, 0);
  uint k0 = (uint)k, k1 = (uint)(k >> 32);
  for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u)
    c = (uint4)(mul_hi(0xCD9E8D57u, c.z) ^ c.y ^ k0, 0xCD9E8D57u * c.z,
                mul_hi(0xD2511F53u, c.x) ^ c.w ^ k1, 0xD2511F53u * c.x);
  y[i] = c.x < 0x40000000u ? 0.0f : x[i] / 0.75f;
}
