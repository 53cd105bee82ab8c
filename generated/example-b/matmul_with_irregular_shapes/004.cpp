#include "kernel.h"
#include <vector>

// Transposes b first so that both operands of the dot product are contiguous.
extern "C" void matmul_with_irregular_shapes(const float* a, const float* b, float* c,
                                             int64_t M, int64_t K, int64_t N) {
    // transpose b -> bt[N][K]
    std::vector<float> bt(N * K);
    for (int64_t k = 0; k < K; k++) {
        for (int64_t j = 0; j < N; j++) {
            bt[j * K + k] = b[k * N + j];
        }
    }

    #pragma omp parallel for
    for (int64_t i = 0; i < M; i++) {
        for (int64_t j = 0; j < N; j++) {
            const float* pa = a + i * K;
            const float* pb = bt.data() + j * K;
            float sum = 0.0f;
            for (int64_t k = 0; k < K; k++) {
                sum += pa[k] * pb[k];
            }
            c[i * N + j] = sum;
        }
    }
}
