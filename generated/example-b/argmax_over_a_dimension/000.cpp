#include "kernel.h"

// argmax over the middle dimension
extern "C" void argmax_over_a_dimension(const float* x, int64_t* y, int64_t B, int64_t M, int64_t N) {
    for (int64_t b = 0; b < B; b++) {
        for (int64_t n = 0; n < N; n++) {
            float max_val = x[b * M * N + n];
            int64_t max_idx = 0;
            for (int64_t m = 1; m < M; m++) {
                float val = x[b * M * N + m * N + n];
                if (val > max_val) {
                    max_val = val;
                    max_idx = m;
                }
            }
            y[b * N + n] = max_idx;
        }
    }
}
