// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel append  global [round_up(D, 64), B * H]  local [64, 1]
                  (key, value, key_cache, value_cache, lengths, page_table, H, D, S, M)
*/
__kernel void append(__global const float* restrict key, __global const float* restrict value, __global float* restrict key_cache,
                     __global float* restrict value_cache, __global const long* restrict lengths,
                     __global const long* restrict page_table, long H, long D, long S, long M) {
  const long d = get_global_id(0), row = get_global_id(1), b = row / H, token = lengths[b] - 1;
  if (d >= D) return;
  const long to = ((page_table[b * M + token / S] * H + row % H) * S + token % S) * D + d;
  key_cache[to] = key[row * D + d];
  value_cache[to] = value[row * D + d];
}
