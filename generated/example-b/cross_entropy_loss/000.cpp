#include "kernel.h"
#include <cmath>

extern "C" void cross_entropy_loss(const float* x, const int64_t* target, float* y, int64_t N, int64_t C) {
    double total = 0.0;
    for (int64_t n = 0; n < N; n++) {
        // max for stability
        double max_val = x[n * C];
        for (int64_t c = 1; c < C; c++) {
            if (x[n * C + c] > max_val) max_val = x[n * C + c];
        }
        // log-sum-exp
        double sum = 0.0;
        for (int64_t c = 0; c < C; c++) {
            sum += exp(x[n * C + c] - max_val);
        }
        // negative log likelihood of the target class
        total += -(x[n * C + target[n]] - max_val - log(sum));
    }
    *y = total / N;
}
