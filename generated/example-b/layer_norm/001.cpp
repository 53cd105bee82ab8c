#include "kernel.h"
#include <math.h>

extern "C" void layer_norm(const float* x, const float* scale, const float* bias, float* y,
                           int64_t N, int64_t C, int64_t H, int64_t W) {
    const int64_t D = C * H * W;
    #pragma omp parallel for
    for (int64_t n = 0; n < N; n++) {
        const float* xp = x + n * D;
        float* yp = y + n * D;

        // Welford's algorithm for mean and variance in one pass
        double mean = 0.0, m2 = 0.0;
        for (int64_t i = 0; i < D; i++) {
            double delta = xp[i] - mean;
            mean += delta / (i + 1);
            m2 += delta * (xp[i] - mean);
        }
        double variance = m2 / (D - 1);
        float inv_std = (float)(1.0 / sqrt(variance + 1e-5));

        for (int64_t i = 0; i < D; i++) {
            yp[i] = (float)(xp[i] - mean) * inv_std * scale[i] + bias[i];
        }
    }
}
