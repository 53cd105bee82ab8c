#include "kernel.h"

#include <algorithm>
#include <bit>
#include <cmath>

// Single pass over memory: the row is consumed in blocks that fit into L1. Each block is
// scanned for its maximum and then exponentiated while it is still hot; the running sum is
// rescaled only when a block raises the maximum, which is rare after the first block.
namespace {

constexpr int64_t kBlock = 1024;

inline float exp_nonpositive(float x) {
  x = std::max(x, -87.0f);
  const float n = (x * 1.44269504f + 12582912.0f) - 12582912.0f;
  const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  return ((p * r * r + r) + 1.0f) * std::bit_cast<float>((static_cast<int32_t>(n) + 127) << 23);
}

}  // namespace

extern "C" void cross_entropy_loss(const float* x, const int64_t* target, float* y, int64_t N, int64_t C) {
  double total = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (int64_t n = 0; n < N; ++n) {
    const float* __restrict row = x + n * C;
    float top = row[0];
    double sum = 0.0;
    for (int64_t begin = 0; begin < C; begin += kBlock) {
      const int64_t end = std::min(begin + kBlock, C);
      float block_top = row[begin];
#pragma omp simd reduction(max : block_top)
      for (int64_t c = begin; c < end; ++c) block_top = std::max(block_top, row[c]);
      if (block_top > top) {
        sum *= std::exp(static_cast<double>(top) - block_top);
        top = block_top;
      }
      float block_sum = 0.0f;
#pragma omp simd reduction(+ : block_sum)
      for (int64_t c = begin; c < end; ++c) block_sum += exp_nonpositive(row[c] - top);
      sum += block_sum;
    }
    total += std::log(sum) + (static_cast<double>(top) - row[target[n]]);
  }
  *y = static_cast<float>(total / static_cast<double>(N));
}
