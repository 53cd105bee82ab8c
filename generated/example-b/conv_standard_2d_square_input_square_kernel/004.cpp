#include "kernel.h"
#include <vector>

extern "C" void conv_standard_2d_square_input_square_kernel(const float* x, const float* w, const float* b, float* y,
                                                            int64_t N, int64_t C, int64_t H, int64_t W,
                                                            int64_t O, int64_t OH, int64_t OW) {
    const int64_t K = 11, stride = 4, pad = 2;
    const int64_t Hp = H + 2 * pad;
    const int64_t Wp = W + 2 * pad;

    // Create a zero-padded copy of the input
    std::vector<float> padded(N * C * Hp * Wp, 0.0f);
    for (int64_t nc = 0; nc < N * C; nc++) {
        for (int64_t h = 0; h < H; h++) {
            for (int64_t w_ = 0; w_ < W; w_++) {
                padded[(nc * Hp + h + pad) * Wp + w_ + pad] = x[(nc * H + h) * W + w_];
            }
        }
    }

    // Plain convolution without bounds checks
    for (int64_t n = 0; n < N; n++) {
        for (int64_t o = 0; o < O; o++) {
            for (int64_t oh = 0; oh < OH; oh++) {
                for (int64_t ow = 0; ow < OW; ow++) {
                    double sum = b[o];
                    for (int64_t c = 0; c < C; c++) {
                        const float* in = &padded[((n * C + c) * Hp + oh * stride) * Wp + ow * stride];
                        const float* filter = &w[(o * C + c) * K * K];
                        for (int64_t kh = 0; kh < K; kh++) {
                            for (int64_t kw = 0; kw < K; kw++) {
                                sum += in[kh * Wp + kw] * filter[kh * K + kw];
                            }
                        }
                    }
                    y[((n * O + o) * OH + oh) * OW + ow] = (float)sum;
                }
            }
        }
    }
}
