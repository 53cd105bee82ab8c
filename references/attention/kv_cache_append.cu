// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel append grid [B] block [128] (key_cache, value_cache, key, value, position, S, D)
*/
// A block has a sequence: its first half copies the key, the other half the value, four numbers at a time where rows are a multiple of
// that.
template <class Unit>
__device__ void copy(const float* __restrict__ from, float* __restrict__ to, long long units) {
  const Unit* in = reinterpret_cast<const Unit*>(from);
  Unit* out = reinterpret_cast<Unit*>(to);
  for (long long i = threadIdx.x % 64; i < units; i += 64) out[i] = in[i];
}

extern "C" __global__ void append(float* __restrict__ key_cache, float* __restrict__ value_cache, const float* __restrict__ key,
                                  const float* __restrict__ value, const long long* __restrict__ position, long long S, long long D) {
  const bool is_key = threadIdx.x < 64;
  const float* from = (is_key ? key : value) + blockIdx.x * D;
  float* to = (is_key ? key_cache : value_cache) + (blockIdx.x * S + position[blockIdx.x]) * D;
  if (D % 4 == 0) copy<float4>(from, to, D / 4);
  else copy<float>(from, to, D);
}
