#include "kernel.h"
#include <algorithm>

// Cache blocked matrix multiplication with OpenMP.
extern "C" void matmul_with_irregular_shapes(const float* a, const float* b, float* c,
                                             int64_t M, int64_t K, int64_t N) {
    const int64_t BS = 64;

    #pragma omp parallel for
    for (int64_t ii = 0; ii < M; ii += BS) {
        for (int64_t kk = 0; kk < K; kk += BS) {
            for (int64_t jj = 0; jj < N; jj += BS) {
                int64_t i_end = std::min(ii + BS, M);
                int64_t k_end = std::min(kk + BS, K);
                int64_t j_end = std::min(jj + BS, N);
                for (int64_t i = ii; i < i_end; i++) {
                    for (int64_t k = kk; k < k_end; k++) {
                        float aik = a[i * K + k];
                        for (int64_t j = jj; j < j_end; j++) {
                            // accumulate partial products of this block
                            c[i * N + j] += aik * b[k * N + j];
                        }
                    }
                }
            }
        }
    }
}
