// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel attend grid [B * H * div_up(V, 64), div_up(T, 64)] block [256] shared [4 * 64 * 68 * 4] (q, k, v, y, T, H, K, V)
*/
// A tile of 64 queries of one head meets one tile of keys after the other; the sums of values stay in registers. A block has up to 64
// features of the values; heads with more of them have several blocks, which all work out the products.
constexpr int kRows = 64, kWide = kRows + 4, kPart = 4, kAcross = kRows / kPart;

// tile[feature][row] = factor * from[row * stride + feature], and 0 outside.
__device__ void load_turned(float (*tile)[kWide], const float* from, long long rows, long long features, long long stride, float factor) {
  for (int e = threadIdx.x; e < kRows * kRows; e += kAcross * kAcross) {
    const int row = e / kRows, feature = e % kRows;
    tile[feature][row] = row < rows && feature < features ? factor * from[row * stride + feature] : 0;
  }
}

extern "C" __global__ void __launch_bounds__(kAcross* kAcross)
    attend(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v, float* __restrict__ o, long long T,
           long long H, long long K, long long V) {
  extern __shared__ float shared[];
  float(*query)[kWide] = reinterpret_cast<float(*)[kWide]>(shared);
  float(*key)[kWide] = query + kRows;
  float(*value)[kWide] = key + kRows;     // [key][feature]
  float(*weight)[kWide] = value + kRows;  // [key][query]
  const long long chunks = (V + kRows - 1) / kRows, head = blockIdx.x / chunks, first_feature = blockIdx.x % chunks * kRows;
  const long long first = (gridDim.y - 1 - blockIdx.y) * (long long)kRows;  // the longest come first
  const long long b = head / H, h = head % H;
  q += (b * T * H + h) * K;
  k += (b * T * H + h) * K;
  v += (b * T * H + h) * V;
  const int x = threadIdx.x % kAcross, y = threadIdx.x / kAcross;
  const float scale = 1 / sqrtf((float)K), decay = log1pf(-exp2f(-5.0f - (float)h));
  float sum[kPart][kPart] = {};

  for (long long k0 = 0; k0 <= first; k0 += kRows) {
    float score[kPart][kPart] = {};
    for (long long d0 = 0; d0 < K; d0 += kRows) {
      __syncthreads();
      // Scaled here: an unscaled score may leave the type's range.
      if (k0 == 0 || K > kRows) load_turned(query, q + first * H * K + d0, T - first, K - d0, H * K, scale);
      load_turned(key, k + k0 * H * K + d0, T - k0, K - d0, H * K, 1);
      __syncthreads();
      const int depth = (int)min(K - d0, (long long)kRows);
#pragma unroll 8
      for (int d = 0; d < depth; ++d) {
        const float4 a = *reinterpret_cast<const float4*>(&query[d][y * kPart]), b = *reinterpret_cast<const float4*>(&key[d][x * kPart]);
        const float left[kPart] = {a.x, a.y, a.z, a.w}, right[kPart] = {b.x, b.y, b.z, b.w};
        for (int i = 0; i < kPart; ++i)
          for (int j = 0; j < kPart; ++j) score[i][j] = fmaf(left[i], right[j], score[i][j]);
      }
    }
    for (int e = threadIdx.x; e < kRows * kRows; e += kAcross * kAcross) {
      const long long row = k0 + e / kRows, feature = first_feature + e % kRows;
      value[e / kRows][e % kRows] = row < T && feature < V ? v[row * H * V + feature] : 0;
    }
    for (int i = 0; i < kPart; ++i)
      for (int j = 0; j < kPart; ++j) {
        const long long distance = first + y * kPart + i - k0 - x * kPart - j;
        score[i][j] = distance < 0 ? 0 : score[i][j] * expf((float)distance * decay);
      }
    for (int j = 0; j < kPart; ++j)
      *reinterpret_cast<float4*>(&weight[x * kPart + j][y * kPart]) = make_float4(score[0][j], score[1][j], score[2][j], score[3][j]);
    __syncthreads();
    const int keys = (int)min(T - k0, (long long)kRows);
#pragma unroll 8
    for (int s = 0; s < keys; ++s) {
      const float4 a = *reinterpret_cast<const float4*>(&weight[s][y * kPart]), b = *reinterpret_cast<const float4*>(&value[s][x * kPart]);
      const float left[kPart] = {a.x, a.y, a.z, a.w}, right[kPart] = {b.x, b.y, b.z, b.w};
      for (int i = 0; i < kPart; ++i)
        for (int j = 0; j < kPart; ++j) sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
    }
  }
  for (int i = 0; i < kPart; ++i) {
    const long long row = first + y * kPart + i;
    for (int j = 0; j < kPart; ++j) {
      const long long feature = first_feature + x * kPart + j;
      if (row < T && feature < V) o[((b * T + row) * H + h) * V + feature] = sum[i][j];
    }
  }
}
