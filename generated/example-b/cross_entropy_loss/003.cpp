#include "kernel.h"
#include <cmath>
#include <vector>

extern "C" void cross_entropy_loss(const float* x, const int64_t* target, float* y, int64_t N, int64_t C) {
    // Step 1: log-softmax of every row
    std::vector<float> log_probs(N * C);
    for (int64_t n = 0; n < N; n++) {
        float m = x[n * C];
        for (int64_t c = 1; c < C; c++) {
            m = std::fmax(m, x[n * C + c]);
        }
        double s = 0.0;
        for (int64_t c = 0; c < C; c++) {
            s += std::exp(x[n * C + c] - m);
        }
        float log_sum = (float)std::log(s);
        for (int64_t c = 0; c < C; c++) {
            log_probs[n * C + c] = (x[n * C + c] - m) - log_sum;
        }
    }
    // Step 2: negative log likelihood, averaged over the batch
    double loss = 0.0;
    for (int64_t n = 0; n < N; n++) {
        loss -= log_probs[n * C + target[n]];
    }
    *y = (float)(loss / N);
}
