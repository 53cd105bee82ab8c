#include "kernel.h"
#include <cmath>

extern "C" void argmax_over_a_dimension(const float* x, int64_t* y, int64_t B, int64_t M, int64_t N) {
    #pragma omp parallel for collapse(2)
    for (int64_t b = 0; b < B; b++) {
        for (int64_t n = 0; n < N; n++) {
            float best = -INFINITY;
            int64_t best_idx = 0;
            for (int64_t m = 0; m < M; m++) {
                float v = x[(b * M + m) * N + n];
                if (v >= best) {
                    best = v;
                    best_idx = m;
                }
            }
            y[b * N + n] = best_idx;
        }
    }
}
