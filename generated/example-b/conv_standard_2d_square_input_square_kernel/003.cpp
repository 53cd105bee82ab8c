Here is an optimized C++ implementation of the convolution. It uses OpenMP to parallelize over the batch and the output channels:

```cpp
#include "kernel.h"

extern "C" void conv_standard_2d_square_input_square_kernel(const float* x, const float* w, const float* b, float* y,
                                                            int64_t N, int64_t C, int64_t H, int64_t W,
                                                            int64_t O, int64_t OH, int64_t OW) {
    #pragma omp parallel for collapse(2)
    for (int64_t n = 0; n < N; ++n) {
        for (int64_t o = 0; o < O; ++o) {
            for (int64_t oh = 0; oh < OH; ++oh) {
                for (int64_t ow = 0; ow < OW; ++ow) {
                    float sum = b[o];
                    for (int64_t c = 0; c < C; ++c) {
                        for (int64_t kh = 0; kh < 11; ++kh) {
                            const int64_t ih = oh * 4 - 2 + kh;
                            if (ih < 0 || ih >= H) continue;
                            for (int64_t kw = 0; kw < 11; ++kw) {
                                const int64_t iw = ow * 4 - 2 + kw;
                                if (iw < 0 || iw >= W) continue;
                                sum += x[((n * C + c) * H + ih) * W + iw] * w[((o * C + c) * 11 + kh) * 11 + kw];
                            }
                        }
                    }
                    y[((n * O + o) * OH + oh) * OW + ow] = sum;
                }
            }
        }
    }
}
```

This implementation:
- handles the padding with bounds checks,
- parallelizes across the batch and the output channels,
- keeps the accumulator in a register.
