// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel copy_rows  global [round_up(E, 64), T]  local [64, 1]
                     (cosines, sines, offsets, token_cosines, token_sines, E, B)
*/
// Each token looks for its prompt by bisection: the last one that begins at the token or before it, since others may have no token.
__kernel void copy_rows(__global const float* restrict cosines, __global const float* restrict sines, __global const long* restrict offsets,
                        __global float* restrict token_cosines, __global float* restrict token_sines, long E, long B) {
  const long e = get_global_id(0), token = get_global_id(1);
  if (e >= E) return;
  long prompt = 0, behind = B;
  while (behind - prompt > 1) {
    const long middle = (prompt + behind) / 2;
    if (offsets[middle] <= token) prompt = middle;
    else behind = middle;
  }
  const long from = (token - offsets[prompt]) * E + e;
  token_cosines[token * E + e] = cosines[from];
  token_sines[token * E + e] = sines[from];
}
