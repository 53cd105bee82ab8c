#include "kernel.h"

// Unrolled by 4 over the reduced dimension.
extern "C" void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
    #pragma omp parallel for collapse(2)
    for (int64_t b = 0; b < B; b++) {
        for (int64_t n = 0; n < N; n++) {
            const float* p = x + b * M * N + n;
            double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
            int64_t m = 0;
            for (; m + 3 < M; m += 4) {
                s0 += p[m * N];
                s1 += p[(m + 1) * N];
                s2 += p[(m + 2) * N];
                s3 += p[(m + 3) * N];
            }
            for (; m < M; m++) {
                s0 += p[m * N];
            }
            y[b * N + n] = (float)((s0 + s1) + (s2 + s3));
        }
    }
}
