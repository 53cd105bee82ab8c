#include "kernel.h"
#include <cmath>
#include <algorithm>

// Softmax along the last dimension
extern "C" void softmax(const float* x, float* y, int64_t N, int64_t C) {
    for (int64_t c = 0; c < C; c++) {
        // max
        float m = -INFINITY;
        for (int64_t n = 0; n < N; n++) {
            m = std::max(m, x[n * C + c]);
        }
        // sum of exponentials
        float s = 0.0f;
        for (int64_t n = 0; n < N; n++) {
            y[n * C + c] = std::exp(x[n * C + c] - m);
            s += y[n * C + c];
        }
        // normalize
        for (int64_t n = 0; n < N; n++) {
            y[n * C + c] /= s;
        }
    }
}
