#include "kernel.h"
#include <vector>
#include <algorithm>

extern "C" void mlp(const float* x, const float* w1, const float* b1, const float* w2, const float* b2,
                    const float* w3, const float* b3, float* y,
                    int64_t B, int64_t I, int64_t H1, int64_t H2, int64_t O) {
    // Hidden activations of one sample, with bounds checking for safety
    std::vector<float> hidden1(H1);
    std::vector<float> hidden2(H2);

    for (int64_t n = 0; n < B; n++) {
        // Layer 1
        for (int64_t j = 0; j < H1; j++) {
            float sum = b1[j];
            for (int64_t k = 0; k < I; k++) sum += x[n * I + k] * w1[j * I + k];
            hidden1.at(j) = std::max(sum, 0.0f);
        }
        // Layer 2
        for (int64_t j = 0; j < H2; j++) {
            float sum = b2[j];
            for (int64_t k = 0; k < H1; k++) sum += hidden1.at(k) * w2[j * H1 + k];
            hidden2.at(j) = std::max(sum, 0.0f);
        }
        // Layer 3
        for (int64_t j = 0; j < O; j++) {
            float sum = b3[j];
            for (int64_t k = 0; k <= H2; k++) sum += hidden2.at(k) * w3[j * H2 + k];
            y[n * O + j] = sum;
        }
    }
}
