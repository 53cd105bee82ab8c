// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch large:   double[max(1, B * N * N * min(1, N / 33))]
   scratch sizes:   double[2 * B * max(1, min(N / 16, 128 / B))]
   scratch rows:    long[2 * B * max(1, min(N / 16, 128 / B))]
   scratch order:   int[B * N]
   scratch used:    int[B * N] zero
   scratch arrived: uint[B] zero
   kernel eliminate grid [div_up(B, 4)] block [128] (x, y, B, N)
   kernel eliminate_large grid [max(1, B * max(1, min(N / 16, 128 / B)) * min(1, N / 33))] block [256]
       (x, large, sizes, rows, order, used, arrived, y, N, long(max(1, min(N / 16, 128 / B))))
*/
// The product of the pivots of elimination with partial pivoting, in double. A warp has a matrix of at most 32 rows, in shared memory; its
// lanes take different rows in the search for a pivot, and different columns in all else. A larger matrix has a block, or where there are
// few of them several, at most 128 in all: they run at the same time, and wait for each other at each step. Its rows stay where they
// are, and the order in which they are taken has the sign of a permutation.
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

extern "C" __global__ void eliminate(const float* __restrict__ x, float* __restrict__ y, int64_t B, int64_t N) {
  __shared__ double small[kWarps][kSmall * (kSmall + 1)];
  const int64_t b = blockIdx.x * (int64_t)kWarps + threadIdx.x / 32, pitch = kSmall + 1;
  if (b >= B || N > kSmall) return;
  double* a = small[threadIdx.x / 32];
  for (int64_t e = threadIdx.x % 32; e < N * N; e += 32) a[e / N * pitch + e % N] = x[b * N * N + e];
  __syncwarp();
  const double product = determinant_of(a, N, pitch);
  if (threadIdx.x % 32 == 0) y[b] = (float)product;
}

constexpr int kThreads = 256, kBlockWarps = kThreads / 32;

// The row of the largest number in a column, and its absolute value. -2: there is no row.
struct Pivot {
  double size;
  long long row;
};

__device__ Pivot larger(Pivot a, Pivot b) { return b.size > a.size || (b.size == a.size && b.row < a.row) ? b : a; }

__device__ Pivot largest_of_block(Pivot pivot) {
  __shared__ Pivot warps[kBlockWarps];
  for (int width = 16; width > 0; width /= 2)
    pivot = larger(pivot, {__shfl_xor_sync(kAll, pivot.size, width), __shfl_xor_sync(kAll, pivot.row, width)});
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = pivot;
  __syncthreads();
  pivot = warps[0];
  for (int warp = 1; warp < kBlockWarps; ++warp) pivot = larger(pivot, warps[warp]);
  return pivot;
}

// Until all blocks of the matrix have come here `turn` times.
__device__ void wait_for_others(unsigned* arrived, unsigned blocks, unsigned turn) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (*(volatile unsigned*)arrived < blocks * turn) {
    }
    __threadfence();
  }
  __syncthreads();
}

// Whether as many pairs are out of order as not, modulo two: of all threads, in the first.
__device__ int inversions(const int* __restrict__ order, long long N) {
  __shared__ int odd;
  if (threadIdx.x == 0) odd = 0;
  __syncthreads();
  int count = 0;
  for (long long i = threadIdx.x; i < N; i += kThreads)
    for (long long j = i + 1; j < N; ++j) count += order[i] > order[j];
  atomicXor(&odd, count & 1);
  __syncthreads();
  return odd;
}

// A warp subtracts from a row at a time. What other blocks have written is read past the cache of the multiprocessor.
extern "C" __global__ void __launch_bounds__(kThreads) eliminate_large(const float* __restrict__ x, double* large, double* sizes,
                                                                       long long* rows, int* order, int* used, unsigned* arrived,
                                                                       float* __restrict__ y, int64_t N, long long blocks) {
  if (N <= kSmall) return;
  const long long b = blockIdx.x / blocks, own = blockIdx.x % blocks;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  x += b * N * N;
  large += b * N * N;
  sizes += b * 2 * blocks;
  rows += b * 2 * blocks;
  order += b * N;
  used += b * N;
  arrived += b;
  Pivot found = {-2, N};
  for (long long i = own + warp * blocks; i < N; i += kBlockWarps * blocks) {
    for (long long j = lane; j < N; j += 32) large[i * N + j] = x[i * N + j];
    const double size = fabs((double)x[i * N]);
    found = larger(found, {size >= 0 ? size : -1, i});
  }
  double product = 1;
  for (long long k = 0; k < N; ++k) {
    found = largest_of_block(found);
    // A block may be a step ahead, and no more: it writes what others do not read any more.
    const long long half = k % 2 * blocks;
    if (threadIdx.x == 0) {
      sizes[half + own] = found.size;
      rows[half + own] = found.row;
    }
    wait_for_others(arrived, (unsigned)blocks, (unsigned)k + 1);
    Pivot pivot = {-2, N};
    for (long long p = half + threadIdx.x; p < half + blocks; p += kThreads) pivot = larger(pivot, {__ldcg(sizes + p), __ldcg(rows + p)});
    pivot = largest_of_block(pivot);
    const double* from = large + pivot.row * N;
    const double top = __ldcg(from + k);
    product *= top;
    if (pivot.row % blocks == own && threadIdx.x == 0) {
      order[k] = (int)pivot.row;
      used[pivot.row] = 1;
    }
    if (top == 0) {
      if (own == 0 && threadIdx.x == 0) y[b] = (float)product;
      return;
    }
    __syncthreads();
    found = {-2, N};
    for (long long i = own + warp * blocks; i < N; i += kBlockWarps * blocks) {
      if (*(volatile int*)(used + i) != 0) continue;
      double* row = large + i * N;
      const double factor = row[k] / top;
      __syncwarp();
#pragma unroll 4
      for (long long j = k + 1 + lane; j < N; j += 32) row[j] -= factor * __ldcg(from + j);
      __syncwarp();
      const double size = k + 1 < N ? fabs(row[k + 1]) : 0;
      found = larger(found, {size >= 0 ? size : -1, i});
    }
  }
  wait_for_others(arrived, (unsigned)blocks, (unsigned)N + 1);
  if (own > 0) return;
  const int odd = inversions(order, N);
  if (threadIdx.x == 0) y[b] = (float)(odd != 0 ? -product : product);
}
