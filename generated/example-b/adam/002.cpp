#include "kernel.h"
#include <cmath>

extern "C" void adam(const float* param, const float* grad, const float* m, const float* v,
                     float* new_param, float* new_m, float* new_v, int64_t N, int64_t M) {
    const float beta1 = 0.9f, beta2 = 0.999f;
    const float lr = 0.001f, eps = 1e-8f

    const int64_t total = N * M;
    #pragma omp parallel for simd
    for (int64_t i = 0; i < total; ++i) {
        float mi = beta1 * m[i] + 0.1f * grad[i];
        float vi = beta2 * v[i] + 0.001f * grad[i] * grad[i];
        new_m[i] = mi;
        new_v[i] = vi;
        new_param[i] = param[i] - lr * (mi / 0.1f) / (std::sqrt(vi / 0.001f) + eps);
    }
}
