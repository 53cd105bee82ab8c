// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel copy  global [64, B]  local [64, 1]  (old_starts, lengths, source, new_starts, target)
*/
__kernel void copy(__global const long* restrict old_starts, __global const long* restrict lengths,
                   __global const float* restrict source, __global const long* restrict new_starts,
                   __global float* restrict target) {
  const long i = get_global_id(0), b = get_global_id(1);
  if (i < lengths[b]) target[new_starts[b] + i] = source[old_starts[b] + i];
}
