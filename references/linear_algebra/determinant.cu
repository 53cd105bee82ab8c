// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch large: double[max(1, B * N * N * min(1, N / 33))]
   kernel eliminate grid [div_up(B, 4)] block [128] (x, large, y, B, N)
*/
// The product of the pivots of elimination with partial pivoting, in double. A warp has a matrix, which lies in shared memory up to 32 rows
// and else in scratch memory; its lanes take different rows in the search for a pivot, and different columns in all else.
#include <stdint.h>

constexpr int kWarps = 4, kSmall = 32;
constexpr unsigned kAll = 0xffffffff;

__device__ double determinant_of(double* a, int64_t N, int64_t pitch) {
  const int lane = threadIdx.x % 32;
  double product = 1;
  for (int64_t k = 0; k < N; ++k) {
    double size = -1;
    int64_t best = k;
    for (int64_t i = k + lane; i < N; i += 32)
      if (fabs(a[i * pitch + k]) > size) {
        size = fabs(a[i * pitch + k]);
        best = i;
      }
    for (int width = 16; width > 0; width /= 2) {
      const double other = __shfl_xor_sync(kAll, size, width);
      const int64_t place = __shfl_xor_sync(kAll, best, width);
      if (other > size || (other == size && place < best)) {
        size = other;
        best = place;
      }
    }
    if (best != k) {
      for (int64_t j = k + lane; j < N; j += 32) {
        const double v = a[k * pitch + j];
        a[k * pitch + j] = a[best * pitch + j];
        a[best * pitch + j] = v;
      }
      product = -product;
    }
    __syncwarp();
    const double pivot = a[k * pitch + k];
    product *= pivot;
    if (pivot == 0) return product;
    for (int64_t i = k + 1; i < N; ++i) {
      const double factor = a[i * pitch + k] / pivot;
      for (int64_t j = k + 1 + lane; j < N; j += 32) a[i * pitch + j] -= factor * a[k * pitch + j];
    }
    __syncwarp();
  }
  return product;
}

extern "C" __global__ void eliminate(const float* __restrict__ x, double* __restrict__ large, float* __restrict__ y, int64_t B, int64_t N) {
  __shared__ double small[kWarps][kSmall * (kSmall + 1)];
  const int64_t b = blockIdx.x * (int64_t)kWarps + threadIdx.x / 32;
  if (b >= B) return;
  const int64_t pitch = N <= kSmall ? kSmall + 1 : N;
  double* a = N <= kSmall ? small[threadIdx.x / 32] : large + b * N * N;
  for (int64_t e = threadIdx.x % 32; e < N * N; e += 32) a[e / N * pitch + e % N] = x[b * N * N + e];
  __syncwarp();
  const double product = determinant_of(a, N, pitch);
  if (threadIdx.x % 32 == 0) y[b] = (float)product;
}
