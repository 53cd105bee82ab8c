// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel append  global [round_up(D, 64), B]  local [64, 1]
                  (key_cache, value_cache, key, value, position, S, D)
*/
__kernel void append(__global float* restrict key_cache, __global float* restrict value_cache,
                     __global const float* restrict key, __global const float* restrict value,
                     __global const long* restrict position, long S, long D) {
  const long d = get_global_id(0), b = get_global_id(1);
  if (d >= D) return;
  const long to = (b * S + position[b]) * D + d;
  key_cache[to] = key[b * D + d];
  value_cache[to] = value[b * D + d];
}
