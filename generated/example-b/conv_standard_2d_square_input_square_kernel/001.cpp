#include "kernel.h"
#include <vector>

extern "C" void conv_standard_2d_square_input_square_kernel(const float* x, const float* w, const float* b, float* y,
                                                            int64_t N, int64_t C, int64_t H, int64_t W,
                                                            int64_t O, int64_t OH, int64_t OW) {
    const int64_t K = 11, S = 4, P = 2;
    const int64_t cols = C * K * K;

    #pragma omp parallel for
    for (int64_t n = 0; n < N; n++) {
        std::vector<float> patch(cols);
        for (int64_t oh = 0; oh < OH; oh++) {
            for (int64_t ow = 0; ow < OW; ow++) {
                // im2col for one output pixel
                int64_t idx = 0;
                for (int64_t c = 0; c < C; c++)
                    for (int64_t kh = 0; kh < K; kh++)
                        for (int64_t kw = 0; kw < K; kw++) {
                            int64_t ih = oh * S + kh - P;
                            int64_t iw = ow * S + kw - P;
                            bool valid = ih >= 0 && ih < H && iw >= 0 && iw < W;
                            patch[idx++] = valid ? x[((n * C + c) * H + ih) * W + iw] : 0.0f;
                        }
                // dot product with each filter
                for (int64_t o = 0; o < O; o++) {
                    float sum = 0.0f;
                    for (int64_t k = 0; k < cols; k++) sum += patch[k] * w[o * cols + k];
                    y[((n * O + o) * OH + oh) * OW + ow] = sum;
                }
            }
        }
    }
}
