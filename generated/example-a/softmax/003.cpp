#include "kernel.h"

#include <algorithm>
#include <bit>
#include <limits>

// Blocked online softmax (as in FlashAttention): the row is read in blocks of 512, a running
// maximum and a running sum are kept, and the sum is rescaled whenever the maximum grows.
// The exponentials of a block are stored relative to the maximum known at that time; one
// correction factor per block fixes them in the final pass.
namespace {

constexpr int64_t kBlock = 512;
constexpr int64_t kMaxBlocks = 64;

inline float exp_nonpositive(float x) {
  const bool tiny = x < -87.0f;
  const float v = tiny ? 0.0f : x;
  const float n = (v * 1.44269504f + 12582912.0f) - 12582912.0f;
  const float r = (v - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float e = (p * r * r + r) + 1.0f;
  return tiny ? 0.0f : e * std::bit_cast<float>((static_cast<int32_t>(n) + 127) << 23);
}

void online_row(const float* __restrict x, float* __restrict y, int64_t C, int64_t block) {
  const int64_t blocks = (C + block - 1) / block;
  float seen[kMaxBlocks];  // running maximum at the time the block was processed
  float top = -std::numeric_limits<float>::infinity();
  float sum = 0.0f;

  for (int64_t b = 0; b < blocks; ++b) {
    const int64_t begin = b * block, end = std::min(begin + block, C);
    float block_top = top;
#pragma omp simd reduction(max : block_top)
    for (int64_t c = begin; c < end; ++c) block_top = std::max(block_top, x[c]);

    if (b > 0) sum *= exp_nonpositive(top - block_top);
    top = block_top;
    seen[b] = top;

    float block_sum = 0.0f;
#pragma omp simd reduction(+ : block_sum)
    for (int64_t c = begin; c < end; ++c) {
      const float e = exp_nonpositive(x[c] - block_top);
      y[c] = e;
      block_sum += e;
    }
    sum += block_sum;
  }

  for (int64_t b = 0; b < blocks; ++b) {
    const int64_t begin = b * block, end = std::min(begin + block, C);
    const float factor = exp_nonpositive(seen[b] - top) / sum;
#pragma omp simd
    for (int64_t c = begin; c < end; ++c) y[c] *= factor;
  }
}

}  // namespace

extern "C" void softmax(const float* x, float* y, int64_t N, int64_t C) {
  // Very long rows get larger blocks so that the table of maxima stays on the stack.
  const int64_t block = std::max(kBlock, (C + kMaxBlocks - 1) / kMaxBlocks);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) online_row(x + n * C, y + n * C, C, block);
}
