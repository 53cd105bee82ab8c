// SPDX-License-Identifier: Apache-2.0
// Four neighbouring bfloat16 of a row, of which `count` exist, as floats; one load or store where rows are a multiple of four.
#pragma once

#include "kernel.h"

__device__ float4 load_four(const bfloat16* from, int count, bool aligned) {
  alignas(8) __nv_bfloat16 v[4];
  if (aligned) {
    *reinterpret_cast<uint2*>(v) = *reinterpret_cast<const uint2*>(from);
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) v[i] = i < count ? from[i] : __float2bfloat16_rn(0);
  }
  return make_float4(__bfloat162float(v[0]), __bfloat162float(v[1]), __bfloat162float(v[2]), __bfloat162float(v[3]));
}

__device__ void store_four(bfloat16* to, float4 v, int count, bool aligned) {
  alignas(8) const __nv_bfloat16 all[4] = {__float2bfloat16_rn(v.x), __float2bfloat16_rn(v.y), __float2bfloat16_rn(v.z),
                                           __float2bfloat16_rn(v.w)};
  if (aligned) {
    *reinterpret_cast<uint2*>(to) = *reinterpret_cast<const uint2*>(all);
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (i < count) to[i] = all[i];
}
