#include "kernel.h"

extern "C" void conv_standard_2d_square_input_square_kernel(const float* x, const float* w, const float* b, float* y,
                                                            int64_t N, int64_t C, int64_t H, int64_t W,
                                                            int64_t O, int64_t OH, int64_t OW) {
    const int64_t K = 11;
    const int64_t stride = 4;
    const int64_t padding = 2;

    #pragma omp parallel for collapse(2)
    for (int64_t n = 0; n < N; n++) {
        for (int64_t o = 0; o < O; o++) {
            for (int64_t oh = 0; oh < OH; oh++) {
                for (int64_t ow = 0; ow < OW; ow++) {
                    float sum = b[o];
                    for (int64_t c = 0; c < C; c++) {
                        for (int64_t kh = 0; kh < K; kh++) {
                            for (int64_t kw = 0; kw < K; kw++) {
                                int64_t ih = oh * stride - padding + kh;
                                int64_t iw = ow * stride - padding + kw;
                                if (ih >= 0 && ih < H && iw >= 0 && iw < W) {
                                    sum += x[((n * C + c) * H + ih) * W + iw] * w[((o * C + c) * K + kh) * K + kw];
                                }
                            }
                        }
                    }
                    y[((n * O + o) * OH + oh) * OW + ow] = sum;
                }
            }
        }
    }
}
