#include "kernel.h"
#include <algorithm>
#include <cmath>
#include <vector>

// Follows the formula operator by operator, with temporaries for m_hat and v_hat.
extern "C" void adam(const float* param, const float* grad, const float* m, const float* v,
                     float* new_param, float* new_m, float* new_v, int64_t N, int64_t M) {
    const int64_t total = N * M;
    std::vector<float> m_hat(total), v_hat(total);

    std::transform(m, m + total, grad, new_m, [](float mi, float g) { return 0.9f * mi + 0.1f * g; });
    std::transform(v, v + total, grad, new_v, [](float vi, float g) { return 0.999f * vi + 0.001f * (g * g); });
    std::transform(new_m, new_m + total, m_hat.begin(), [](float mi) { return mi / 0.1f; });
    std::transform(new_v, new_v + total, v_hat.begin(), [](float vi) { return vi / 0.001f; });

    for (int64_t i = 0; i < total; i++) {
        new_param[i] = param[i] - 0.001f * m_hat[i] / (std::sqrt(v_hat[i]) + 1e-8f);
    }
}
