#include "kernel.h"

#include <cmath>
#include <cstdint>

// Vectorized Adam update. The epsilon is added under the square root, which keeps the argument
// strictly positive and avoids a separate addition after the (expensive) sqrt.
extern "C" void adam(const float* param, const float* grad, const float* m, const float* v,
                     float* new_param, float* new_m, float* new_v, int64_t N, int64_t M) {
    constexpr float beta1 = 0.9f, one_minus_beta1 = 0.1f;
    constexpr float beta2 = 0.999f, one_minus_beta2 = 0.001f;
    constexpr float lr = 1e-3f;
    constexpr float eps = 1e-8f;
    constexpr float bias1 = 1.0f / one_minus_beta1;
    constexpr float bias2 = 1.0f / one_minus_beta2;
    const int64_t size = N * M;

#pragma omp parallel for simd
    for (int64_t i = 0; i < size; ++i) {
        const float g = grad[i];
        const float m1 = beta1 * m[i] + one_minus_beta1 * g;
        const float v1 = beta2 * v[i] + one_minus_beta2 * g * g;
        new_m[i] = m1;
        new_v[i] = v1;
        new_param[i] = param[i] - lr * (m1 * bias1) / std::sqrt(v1 * bias2 + eps);
    }
}
