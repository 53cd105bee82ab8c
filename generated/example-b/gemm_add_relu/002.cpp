#include "kernel.h"
#include <algorithm>

extern "C" void gemm_add_relu(const float* x, const float* w, const float* b, float* y, int M, int N, int K) {
    #pragma omp parallel for
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            float sum = b[j];
            for (int k = 0; k < K; k++) {
                sum += x[i * K + k] * w[j * K + k];
            }
            y[i * N + j] = std::max(sum, 0.0f);
        }
    }
}
