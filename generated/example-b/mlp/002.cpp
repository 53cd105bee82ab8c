#include "kernel.h"
#include <vector>
#include <algorithm>

// out = in * W + b
static void matmul_bias(const float* in, const float* w, const float* b, float* out,
                        int64_t rows, int64_t inner, int64_t cols) {
    #pragma omp parallel for
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++) out[i * cols + j] = b[j];
        for (int64_t k = 0; k < inner; k++) {
            float a = in[i * inner + k];
            for (int64_t j = 0; j < cols; j++) {
                out[i * cols + j] += a * w[k * cols + j];
            }
        }
    }
}

static void relu_inplace(std::vector<float>& v) {
    for (float& f : v) f = std::max(f, 0.0f);
}

extern "C" void mlp(const float* x, const float* w1, const float* b1, const float* w2, const float* b2,
                    const float* w3, const float* b3, float* y,
                    int64_t B, int64_t I, int64_t H1, int64_t H2, int64_t O) {
    std::vector<float> h1(B * H1), h2(B * H2);
    matmul_bias(x, w1, b1, h1.data(), B, I, H1);
    relu_inplace(h1);
    matmul_bias(h1.data(), w2, b2, h2.data(), B, H1, H2);
    relu_inplace(h2);
    matmul_bias(h2.data(), w3, b3, y, B, H2, O);
}
