// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel rotate grid [div_up(B * S * H * 8, 256), 2] block [256] (q, k, cosines, sines, long(B * S * H), S, H)
*/
// Eight threads have a head, each four numbers of its first half and their partners in the second. Rows of queries come with the first half
// of the grid, rows of keys with the second.
__device__ float4 load(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ float4 times(float4 a, float4 b) { return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
__device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ float4 subtract(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }

extern "C" __global__ void rotate(float* __restrict__ q, float* __restrict__ k, const float* __restrict__ cosines,
                                  const float* __restrict__ sines, long long heads, long long S, long long H) {
  const long long thread = blockIdx.x * 256ll + threadIdx.x, head = thread / 8;
  if (head >= heads) return;
  const int at = (int)(thread % 8) * 4;
  const long long position = head / H % S;
  float* row = (blockIdx.y == 0 ? q : k) + head * 64 + at;
  const float4 first = load(row), second = load(row + 32), cos = load(cosines + position * 32 + at), sin = load(sines + position * 32 + at);
  *reinterpret_cast<float4*>(row) = subtract(times(first, cos), times(second, sin));
  *reinterpret_cast<float4*>(row + 32) = add(times(second, cos), times(first, sin));
}
