#include "kernel.h"
#include <vector>

static void linear(const float* in, const float* w, const float* b, float* out,
                   int64_t batch, int64_t in_dim, int64_t out_dim, bool relu) {
    for (int64_t i = 0; i < batch; i++) {
        for (int64_t j = 0; j < out_dim; j++) {
            float sum = b[j];
            for (int64_t k = 0; k < in_dim; k++) {
                sum += in[i * in_dim + k] * w[j * in_dim + k];
            }
            if (relu && sum < 0.0f) sum = 0.0f;
            out[i * out_dim + j] = sum;
        }
    }
}

extern "C" void mlp(const float* x, const float* w1, const float* b1, const float* w2, const float* b2,
                    const float* w3, const float* b3, float* y,
                    int64_t B, int64_t I, int64_t H1, int64_t H2, int64_t O) {
    std::vector<float> h1(B * H1);
    std::vector<float> h2(B * H2);
    linear(x, w1, b1, h1.data(), B, I, H1, true);
    linear(h1.data(), w2, b2, h2.data(), B, H1, H2, true);
    linear(h2.data(), w3, b3, y, B, H2, O, false);
}
