// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel compare grid [N * div_up(C, 4096), div_up(M, 16)] block [256] (a, b, y, C, M)
*/
// A block has 4,096 columns of a row, which its threads hold in registers while they compare them with sixteen numbers. Where rows are a
// multiple of sixteen, a thread has that many neighbouring columns, whose answers are one store.
constexpr int kThreads = 256, kEach = 16, kColumns = kThreads * kEach, kLimits = 16;

__device__ unsigned word_of(float4 v, float limit) {
  return (v.x > limit ? 1u : 0) | (v.y > limit ? 1u << 8 : 0) | (v.z > limit ? 1u << 16 : 0) | (v.w > limit ? 1u << 24 : 0);
}

extern "C" __global__ void compare(const float* __restrict__ a, const float* __restrict__ b, unsigned char* __restrict__ y, long long C,
                                   long long M) {
  const long long parts = (C + kColumns - 1) / kColumns, n = blockIdx.x / parts, first = blockIdx.x % parts * kColumns;
  const long long m0 = blockIdx.y * (long long)kLimits, m1 = min(m0 + kLimits, M);
  a += n * C;
  y += n * M * C;
  if (C % kEach == 0) {
    const long long c = first + threadIdx.x * kEach;
    if (c >= C) return;
    float4 v[kEach / 4];
#pragma unroll
    for (int i = 0; i < kEach / 4; ++i) v[i] = *reinterpret_cast<const float4*>(a + c + i * 4);
#pragma unroll 4
    for (long long m = m0; m < m1; ++m) {
      const float limit = b[m];
      const uint4 words = make_uint4(word_of(v[0], limit), word_of(v[1], limit), word_of(v[2], limit), word_of(v[3], limit));
      *reinterpret_cast<uint4*>(y + m * C + c) = words;
    }
    return;
  }
  for (long long c = first + threadIdx.x; c < min(first + kColumns, C); c += kThreads)
    for (long long m = m0; m < m1; ++m) y[m * C + c] = a[c] > b[m];
}
