// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel copy       grid [div_up(div_up(V * D, 4), 256)] block [256] (x, y, long(V * D))
   kernel write_rows grid [div_up(K, 8)]                  block [256] (indices, rows, y, K, D)
*/
// The copy comes first; then each warp writes a row, four numbers at a time where rows are a multiple of that.
extern "C" __global__ void copy(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    *reinterpret_cast<float4*>(y + i) = *reinterpret_cast<const float4*>(x + i);
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = x[k];
}

template <class Unit>
__device__ void copy_row(const float* __restrict__ from, float* __restrict__ to, long long units) {
  const Unit* in = reinterpret_cast<const Unit*>(from);
  Unit* out = reinterpret_cast<Unit*>(to);
#pragma unroll 4
  for (long long i = threadIdx.x % 32; i < units; i += 32) out[i] = in[i];
}

extern "C" __global__ void write_rows(const long long* __restrict__ indices, const float* __restrict__ rows, float* __restrict__ y,
                                      long long K, long long D) {
  const long long row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= K) return;
  const float* from = rows + row * D;
  float* to = y + indices[row] * D;
  if (D % 4 == 0) copy_row<float4>(from, to, D / 4);
  else copy_row<float>(from, to, D);
}
