#include "kernel.h"
#include <vector>
#include <algorithm>
#include <numeric>

extern "C" void mlp(const float* x, const float* w1, const float* b1, const float* w2, const float* b2,
                    const float* w3, const float* b3, float* y,
                    int64_t B, int64_t I, int64_t H1, int64_t H2, int64_t O) {
    // Process each sample of the batch independently
    #pragma omp parallel for
    for (int64_t n = 0; n < B; n++) {
        std::vector<float> h1(H1), h2(H2);
        const float* in = x + n * I;
        for (int64_t j = 0; j < H1; j++) {
            h1[j] = std::max(0.0f, std::inner_product(in, in + I, w1 + j * I, b1[j]));
        }
        for (int64_t j = 0; j < H2; j++) {
            h2[j] = std::max(0.0f, std::inner_product(h1.begin(), h1.end(), w2 + j * H1, b2[j]));
        }
        for (int64_t j = 0; j < O; j++) {
            y[n * O + j] = std::inner_product(h2.begin(), h2.end(), w3 + j * H2, b3[j]);
        }
    }
}
