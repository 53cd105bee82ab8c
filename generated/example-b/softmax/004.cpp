#include "kernel.h"
#include <cmath>
#include <algorithm>

extern "C" void softmax(const float* x, float* y, int64_t N, int64_t C) {
    #pragma omp parallel for
    for (int64_t n = 0; n < N; n++) {
        const float* in = x + n * C;
        float* out = y + n * C;

        float max_val = in[0];
        for (int64_t c = 1; c < C; c++) {
            max_val = std::max(max_val, in[c]);
        }

        float sum = 0.0f;
        for (int64_t c = 0; c < C; c++) {
            out[c] = std::exp(in[c] - max_val);
            sum += out[c];

        const float inv = 1.0f / sum;
        for (int64_t c = 0; c < C; c++) {
            out[c] *= inv;
        }
    }
}
