#include "kernel.h"
#include <cmath>

// LayerNorm: normalize every row (last dimension) to zero mean and unit variance,
// then apply the affine transformation.
extern "C" void layer_norm(const float* x, const float* scale, const float* bias, float* y,
                           int64_t N, int64_t C, int64_t H, int64_t W) {
    const float eps = 1e-5f;
    int64_t rows = N * C * H;
    int64_t rows_per_sample = C * H;

    #pragma omp parallel for
    for (int64_t r = 0; r < rows; r++) {
        const float* row = x + r * W;
        float* out = y + r * W;
        const float* s = scale + (r % rows_per_sample) * W;
        const float* b = bias + (r % rows_per_sample) * W;

        float mean = 0.0f;
        for (int64_t w = 0; w < W; w++) mean += row[w];
        mean /= W;

        float var = 0.0f;
        for (int64_t w = 0; w < W; w++) var += (row[w] - mean) * (row[w] - mean);
        var /= W;

        float inv = 1.0f / std::sqrt(var + eps);
        for (int64_t w = 0; w < W; w++) {
            out[w] = (row[w] - mean) * inv * s[w] + b[w];
        }
    }
}
