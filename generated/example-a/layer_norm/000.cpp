#include "kernel.h"

#include <cmath>
#include <cstdint>

// LayerNorm over (C, H, W) with per-element affine parameters.
//
// One sample is one contiguous vector of D = C*H*W floats. For every sample:
//   pass 1: mean          (double accumulation, vectorized)
//   pass 2: variance      (two-pass formula, no cancellation)
//   pass 3: normalize + affine
extern "C" void layer_norm(const float* x, const float* scale, const float* bias, float* y,
                           int64_t N, int64_t C, int64_t H, int64_t W) {
    const int64_t D = C * H * W;
    constexpr double eps = 1e-5;

#pragma omp parallel for schedule(static)
    for (int64_t n = 0; n < N; ++n) {
        const float* __restrict xi = x + n * D;
        float* __restrict yi = y + n * D;

        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (int64_t i = 0; i < D; ++i) sum += static_cast<double>(xi[i]);
        const double mean = sum / static_cast<double>(D);

        double sq = 0.0;
#pragma omp simd reduction(+ : sq)
        for (int64_t i = 0; i < D; ++i) {
            const double d = static_cast<double>(xi[i]) - mean;
            sq += d * d;
        }
        const double inv_std = 1.0 / std::sqrt(sq / static_cast<double>(D) + eps);

#pragma omp simd
        for (int64_t i = 0; i < D; ++i) {
            const double z = (static_cast<double>(xi[i]) - mean) * inv_std;
            yi[i] = static_cast<float>(z) * scale[i] + bias[i];
        }
    }
}
