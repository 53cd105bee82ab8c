// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: float[2 * div_up(N, 256) * C]
   kernel of_rows     grid [N]                              block [256] (dy, x, weight, mean, rstd, dx, C)
   kernel of_columns  grid [div_up(C, 32), div_up(N, 256)] block [256] (dy, x, mean, rstd, part, N, C)
   kernel add_pieces  grid [div_up(C, 32)]                  block [256] (part, dweight, dbias, C, int(div_up(N, 256)))
*/
// One kernel has a block for each row, which adds up the two means and then reads the row again. The second adds up 32 columns of 256 rows,
// the third what such pieces have.
constexpr int kThreads = 256, kWarps = kThreads / 32, kColumns = 32, kRows = kThreads / kColumns, kPiece = 256;

struct Sums {
  float first, second;
};

__device__ Sums add(Sums a, Sums b) { return {a.first + b.first, a.second + b.second}; }

// Of all threads of the block, for all of them.
__device__ Sums of_block(Sums s) {
  __shared__ Sums warps[kWarps];
  for (int width = 16; width > 0; width /= 2)
    s = add(s, {__shfl_xor_sync(0xffffffff, s.first, width), __shfl_xor_sync(0xffffffff, s.second, width)});
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = s;
  __syncthreads();
  s = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) s = add(s, warps[warp]);
  return s;
}

// Of the threads that have the same column, for the first row of them.
__device__ Sums of_column(Sums s) {
  __shared__ Sums rows[kRows][kColumns];
  const int lane = threadIdx.x % kColumns, row = threadIdx.x / kColumns;
  rows[row][lane] = s;
  __syncthreads();
  if (row == 0)
    for (int r = 1; r < kRows; ++r) s = add(s, rows[r][lane]);
  return s;
}

template <class F>
__device__ float map(float v, float w, float z, F f) {
  return f(v, w, z);
}
template <class F>
__device__ float4 map(float4 v, float4 w, float4 z, F f) {
  return make_float4(f(v.x, w.x, z.x), f(v.y, w.y, z.y), f(v.z, w.z, z.z), f(v.w, w.w, z.w));
}

template <class Unit>
__device__ void gradient_of_row(const float* __restrict__ dy, const float* __restrict__ x, const float* __restrict__ weight, float mean,
                                float rstd, float* __restrict__ dx, long long C) {
  const Unit *dys = reinterpret_cast<const Unit*>(dy), *xs = reinterpret_cast<const Unit*>(x);
  const Unit* weights = reinterpret_cast<const Unit*>(weight);
  const long long units = C * sizeof(float) / sizeof(Unit);
  Sums sums = {0, 0};
#pragma unroll 2
  for (long long u = threadIdx.x; u < units; u += kThreads)
    map(dys[u], xs[u], weights[u], [&](float dy, float x, float weight) {
      const float w = weight * dy;
      sums = add(sums, {w, w * ((x - mean) * rstd)});
      return w;
    });
  sums = of_block(sums);
  const float w_mean = sums.first / C, wu_mean = sums.second / C;
#pragma unroll 2
  for (long long u = threadIdx.x; u < units; u += kThreads)
    reinterpret_cast<Unit*>(dx)[u] = map(dys[u], xs[u], weights[u], [&](float dy, float x, float weight) {
      return rstd * (weight * dy - w_mean - (x - mean) * rstd * wu_mean);
    });
}

extern "C" __global__ void of_rows(const float* __restrict__ dy, const float* __restrict__ x, const float* __restrict__ weight,
                                   const float* __restrict__ mean, const float* __restrict__ rstd, float* __restrict__ dx, long long C) {
  const long long first = blockIdx.x * C;
  const float m = mean[blockIdx.x], r = rstd[blockIdx.x];
  if (C % 4 == 0) gradient_of_row<float4>(dy + first, x + first, weight, m, r, dx + first, C);
  else gradient_of_row<float>(dy + first, x + first, weight, m, r, dx + first, C);
}

extern "C" __global__ void of_columns(const float* __restrict__ dy, const float* __restrict__ x, const float* __restrict__ mean,
                                      const float* __restrict__ rstd, Sums* __restrict__ part, long long N, long long C) {
  const long long column = blockIdx.x * (long long)kColumns + threadIdx.x % kColumns;
  const long long begin = blockIdx.y * (long long)kPiece, end = min(begin + kPiece, N);
  Sums sums = {0, 0};
  if (column < C) {
#pragma unroll 4
    for (long long n = begin + threadIdx.x / kColumns; n < end; n += kRows) {
      const float d = dy[n * C + column];
      sums = add(sums, {d * ((x[n * C + column] - mean[n]) * rstd[n]), d});
    }
  }
  sums = of_column(sums);
  if (threadIdx.x < kColumns && column < C) part[blockIdx.y * C + column] = sums;
}

extern "C" __global__ void add_pieces(const Sums* __restrict__ part, float* __restrict__ dweight, float* __restrict__ dbias, long long C,
                                      int pieces) {
  const long long column = blockIdx.x * (long long)kColumns + threadIdx.x % kColumns;
  Sums sums = {0, 0};
  if (column < C)
    for (int p = threadIdx.x / kColumns; p < pieces; p += kRows) sums = add(sums, part[p * C + column]);
  sums = of_column(sums);
  if (threadIdx.x >= kColumns || column >= C) return;
  dweight[column] = sums.first;
  dbias[column] = sums.second;
}
