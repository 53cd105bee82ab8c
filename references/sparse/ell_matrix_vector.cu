// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply grid [div_up(R, 32)] block [256] (values, columns, x, y, R, K)
*/
// Eight lanes have a row, and take four places at a time where rows are a multiple of that. The matrix is read once, and should not drive x
// out of the caches.
constexpr int kLanes = 8;

template <int kWidth>
__device__ float sum_of_lane(const float* __restrict__ values, const int* __restrict__ columns, const float* __restrict__ x, long long K) {
  float sum = 0;
#pragma unroll 2
  for (long long k = threadIdx.x % kLanes * kWidth; k < K; k += kLanes * kWidth) {
    float v[kWidth];
    int c[kWidth];
    if constexpr (kWidth == 4) {
      const float4 four = __ldcs(reinterpret_cast<const float4*>(values + k));
      const int4 places = __ldcs(reinterpret_cast<const int4*>(columns + k));
      v[0] = four.x, v[1] = four.y, v[2] = four.z, v[3] = four.w;
      c[0] = places.x, c[1] = places.y, c[2] = places.z, c[3] = places.w;
    } else {
      v[0] = values[k];
      c[0] = columns[k];
    }
#pragma unroll
    for (int i = 0; i < kWidth; ++i)
      if (c[i] >= 0) sum = fmaf(v[i], x[c[i]], sum);
  }
  return sum;
}

extern "C" __global__ void multiply(const float* __restrict__ values, const int* __restrict__ columns, const float* __restrict__ x,
                                    float* __restrict__ y, long long R, long long K) {
  const long long row = blockIdx.x * 32ll + threadIdx.x / kLanes;
  float sum = 0;
  if (row < R) {
    values += row * K;
    columns += row * K;
    sum = K % 4 == 0 ? sum_of_lane<4>(values, columns, x, K) : sum_of_lane<1>(values, columns, x, K);
  }
  for (int width = kLanes / 2; width > 0; width /= 2) sum += __shfl_xor_sync(0xffffffff, sum, width);
  if (row < R && threadIdx.x % kLanes == 0) y[row] = sum;
}
