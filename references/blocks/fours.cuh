// SPDX-License-Identifier: Apache-2.0
// Four neighbouring numbers of a row, of which `count` exist; one load or store where rows are a multiple of four.
#pragma once

__device__ float4 load_four(const float* from, int count, bool aligned) {
  if (aligned) return *reinterpret_cast<const float4*>(from);
  return make_float4(from[0], count > 1 ? from[1] : 0, count > 2 ? from[2] : 0, count > 3 ? from[3] : 0);
}

__device__ void store_four(float* to, float4 v, int count, bool aligned) {
  if (aligned) {
    *reinterpret_cast<float4*>(to) = v;
    return;
  }
  to[0] = v.x;
  if (count > 1) to[1] = v.y;
  if (count > 2) to[2] = v.z;
  if (count > 3) to[3] = v.w;
}

__device__ float4 operator*(float4 a, float4 b) { return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
__device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ float4 operator-(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
