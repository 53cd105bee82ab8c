#include "kernel.h"

#include <bit>

// Three passes per row, each one vectorised by the compiler:
//   max  ->  exp(x - max) together with its sum  ->  scale by 1/sum
// A row of a few thousand floats stays in L1/L2, so the extra passes are nearly free and
// the run time is dominated by exp. std::exp does not vectorise here, hence fast_exp.
namespace {

// exp(x) for x <= 0. Cody-Waite reduction, degree-6 polynomial, ~1 ulp.
// Results below the normal range are flushed to zero.
inline float fast_exp(float x) {
  constexpr float kLog2e = 1.44269504088896341f;
  constexpr float kLn2Hi = 0.693359375f;
  constexpr float kLn2Lo = -2.12194440e-4f;
  constexpr float kMagic = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer

  const float clamped = x < -87.0f ? -87.0f : x;
  const float n = (clamped * kLog2e + kMagic) - kMagic;
  const float r = (clamped - n * kLn2Hi) - n * kLn2Lo;

  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float e = (p * r * r + r) + 1.0f;

  const float scale = std::bit_cast<float>((static_cast<int32_t>(n) + 127) << 23);
  return x < -87.0f ? 0.0f : e * scale;
}

void softmax_row(const float* __restrict x, float* __restrict y, int64_t C) {
  float top = x[0];
#pragma omp simd reduction(max : top)
  for (int64_t c = 0; c < C; ++c) top = x[c] > top ? x[c] : top;

  float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
  for (int64_t c = 0; c < C; ++c) {
    const float e = fast_exp(x[c] - top);
    y[c] = e;
    sum += e;
  }

  const float inverse = 1.0f / sum;
#pragma omp simd
  for (int64_t c = 0; c < C; ++c) y[c] *= inverse;
}

}  // namespace

extern "C" void softmax(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static) if (N > 1)
  for (int64_t n = 0; n < N; ++n) softmax_row(x + n * C, y + n * C, C);
}
