#include "kernel.h"

#include <bit>

// Softmax with 16 independent lanes per pass. The lanes give the compiler independent
// accumulators, so every inner loop becomes straight-line SIMD code.
namespace {

constexpr int kLanes = 16;

inline float fast_exp(float x) {
  x = x < -87.0f ? -87.0f : x;
  const float n = (x * 1.44269504f + 12582912.0f) - 12582912.0f;
  const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float e = (p * r * r + r) + 1.0f;
  return e * std::bit_cast<float>((static_cast<int32_t>(n) + 127) << 23);
}

}  // namespace

extern "C" void softmax(const float* x, float* y, int64_t N, int64_t C) {
  const int64_t vectors = C / kLanes;

#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* row = x + n * C;
    float* out = y + n * C;

    float lane_max[kLanes];
    for (int l = 0; l < kLanes; ++l) lane_max[l] = -3.402823466e38f;
    for (int64_t v = 0; v < vectors; ++v)
      for (int l = 0; l < kLanes; ++l) {
        const float value = row[v * kLanes + l];
        lane_max[l] = value > lane_max[l] ? value : lane_max[l];
      }
    float top = lane_max[0];
    for (int l = 1; l < kLanes; ++l) top = lane_max[l] > top ? lane_max[l] : top;

    float lane_sum[kLanes] = {};
    for (int64_t v = 0; v < vectors; ++v)
      for (int l = 0; l < kLanes; ++l) {
        const float e = fast_exp(row[v * kLanes + l] - top);
        out[v * kLanes + l] = e;
        lane_sum[l] += e;
      }
    float sum = 0.0f;
    for (int l = 0; l < kLanes; ++l) sum += lane_sum[l];

    const float inverse = 1.0f / sum;
    for (int64_t v = 0; v < vectors; ++v)
      for (int l = 0; l < kLanes; ++l) out[v * kLanes + l] *= inverse;
  }
}
