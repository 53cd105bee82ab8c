#include "kernel.h"
#include <vector>

// Accumulator image, kept between calls so that it is allocated only once
static std::vector<float> acc;

extern "C" void conv_standard_2d_square_input_square_kernel(const float* x, const float* w, const float* b, float* y,
                                                            int64_t N, int64_t C, int64_t H, int64_t W,
                                                            int64_t O, int64_t OH, int64_t OW) {
    const int64_t size = N * O * OH * OW;
    if ((int64_t)acc.size() < size) {
        acc.resize(size, 0.0f);
    }

    // Accumulate one input channel and one filter tap at a time
    for (int64_t n = 0; n < N; n++)
        for (int64_t o = 0; o < O; o++)
            for (int64_t c = 0; c < C; c++)
                for (int64_t kh = 0; kh < 11; kh++)
                    for (int64_t kw = 0; kw < 11; kw++) {
                        const float weight = w[((o * C + c) * 11 + kh) * 11 + kw];
                        for (int64_t oh = 0; oh < OH; oh++) {
                            const int64_t ih = oh * 4 - 2 + kh;
                            if (ih < 0 || ih >= H) continue;
                            for (int64_t ow = 0; ow < OW; ow++) {
                                const int64_t iw = ow * 4 - 2 + kw;
                                if (iw < 0 || iw >= W) continue;
                                acc[((n * O + o) * OH + oh) * OW + ow] += weight * x[((n * C + c) * H + ih) * W + iw];
                            }
                        }
                    }

    // Add the bias and write the result
    for (int64_t i = 0; i < size; i++) {
        const int64_t o = (i / (OH * OW)) % O;
        y[i] = acc[i] + b[o];
    }
}
