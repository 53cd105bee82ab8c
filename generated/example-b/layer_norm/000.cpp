#include "kernel.h"
#include <cmath>

// Layer normalization over the last three dimensions (C, H, W)
extern "C" void layer_norm(const float* x, const float* scale, const float* bias, float* y,
                           int64_t N, int64_t C, int64_t H, int64_t W) {
    int64_t size = C * H * W;
    for (int64_t n = 0; n < N; n++) {
        // compute mean
        double mean = 0.0;
        for (int64_t i = 0; i < size; i++) {
            mean += x[n * size + i];
        }
        mean /= size;

        // compute variance
        double var = 0.0;
        for (int64_t i = 0; i < size; i++) {
            double diff = x[n * size + i] - mean;
            var += diff * diff;
        }
        var /= size;

        // normalize
        double denom = std::sqrt(var + 1e-5);
        for (int64_t i = 0; i < size; i++) {
            y[n * size + i] = (float)((x[n * size + i] - mean) / denom * scale[i] + bias[i]);
        }
    }
}
