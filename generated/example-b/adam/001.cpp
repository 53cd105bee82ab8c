#include "kernel.h"
#include <cmath>

// Adam optimizer step
extern "C" void adam(const float* param, const float* grad, const float* m, const float* v,
                     float* new_param, float* new_m, float* new_v, int64_t N, int64_t M) {
    const float beta1 = 0.9f;
    const float beta2 = 0.999f;
    const float lr = 0.001f;
    const float eps = 1e-8f;
    int64_t n = N * M;

    #pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        // first moment
        float m_t = beta1 * m[i] + 0.1f * grad[i];
        // second moment
        float v_t = beta2 * v[i] + 0.001f * grad[i] * grad[i];

        new_m[i] = m_t;
        new_v[i] = v_t;
        new_param[i] = param[i] - lr * m_t / (std::sqrt(v_t) + eps);
    }
}
