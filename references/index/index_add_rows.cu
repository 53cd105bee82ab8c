// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel copy     grid [div_up(div_up(V * D, 4), 256)] block [256] (x, y, long(V * D))
   kernel add_rows grid [div_up(K, 8)]                  block [256] (indices, rows, y, K, D)
*/
// The copy comes first; then each warp adds a row, by atomic additions of four numbers where the device has them (from Hopper on) and rows
// are a multiple of that.
extern "C" __global__ void copy(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    *reinterpret_cast<float4*>(y + i) = *reinterpret_cast<const float4*>(x + i);
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = x[k];
}

extern "C" __global__ void add_rows(const long long* __restrict__ indices, const float* __restrict__ rows, float* __restrict__ y,
                                    long long K, long long D) {
  const long long row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= K) return;
  const float* from = rows + row * D;
  float* to = y + indices[row] * D;
#if __CUDA_ARCH__ >= 900
  if (D % 4 == 0) {
#pragma unroll 4
    for (long long d = threadIdx.x % 32 * 4; d < D; d += 32 * 4)
      atomicAdd(reinterpret_cast<float4*>(to + d), *reinterpret_cast<const float4*>(from + d));
    return;
  }
#endif
#pragma unroll 4
  for (long long d = threadIdx.x % 32; d < D; d += 32) atomicAdd(to + d, from[d]);
}
