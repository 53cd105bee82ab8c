#include "kernel.h"
#include <cmath>
#include <vector>
#include <algorithm>

extern "C" void cross_entropy_loss(const float* x, const int64_t* target, float* y, int64_t N, int64_t C) {
    std::vector<float> losses(N);

    #pragma omp parallel for
    for (int64_t n = 0; n < N; n++) {
        float max_val = *std::max_element(x + n * C, x + (n + 1) * C)
        float sum = 0.0f;
        for (int64_t c = 0; c < C; c++) {
            sum += std::exp(x[n * C + c] - max_val);
        }
        losses[n] = std::log(sum) + max_val - x[n * C + target[n]];
    }

    float total = 0.0f;
    for (float loss : losses) total += loss;
    *y = total / N;
}
