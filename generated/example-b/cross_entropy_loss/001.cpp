#include "kernel.h"
#include <cmath>
#include <algorithm>

extern "C" void cross_entropy_loss(const float* x, const int64_t* target, float* y, int64_t N, int64_t C) {
    float loss = 0.0f;
    #pragma omp parallel for reduction(+:loss)
    for (int64_t n = 0; n < N; n++) {
        const float* row = x + n * C;
        float m = row[0];
        for (int64_t c = 1; c < C; c++) m = std::max(m, row[c]);

        float sum = 0.0f;
        for (int64_t c = 0; c < C; c++) sum += std::exp(row[c] - m);

        loss += m + std::log(sum) - row[target[n]];
    }
    // Mean reduction
    *y = loss / C;
}
