#include "kernel.h"
#include <algorithm>

extern "C" void gemm_add_relu(const float* x, const float* w, const float* b, float* y, int64_t M, int64_t K, int64_t N) {
    // i-k-j loop order for better cache locality
    #pragma omp parallel for
    for (int64_t i = 0; i < M; i++) {
        for (int64_t k = 0; k < K; k++) {
            const float a = x[i * K + k];
            for (int64_t j = 0; j < N; j++) {
                y[i * N + j] += a * w[j * K + k];
            }
        }
        // Bias and activation
        for (int64_t j = 0; j < N; j++) {
            y[i * N + j] = std::max(y[i * N + j] + b[j], 0.0f);
        }
    }
}
