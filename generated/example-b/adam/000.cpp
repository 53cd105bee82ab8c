#include "kernel.h"
#include <cmath>

extern "C" void adam(const float* param, const float* grad, const float* m, const float* v,
                     float* new_param, float* new_m, float* new_v, int64_t N, int64_t M) {
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < M; j++) {
            int64_t idx = i * M + j;
            float g = grad[idx];

            // update biased moments
            new_m[idx] = 0.9f * m[idx] + 0.1f * g;
            new_v[idx] = 0.999f * v[idx] + 0.001f * g * g;

            // bias correction for t = 1
            float m_hat = new_m[idx] / 0.1f;
            float v_hat = new_v[idx] / 0.001f;

            // update parameter
            new_param[idx] = param[idx] - 0.001f * m_hat / (std::sqrt(v_hat) + 1e-8f);
        }
    }
}
