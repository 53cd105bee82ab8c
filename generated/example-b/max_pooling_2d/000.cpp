#include "kernel.h"
#include <cmath>

// Max pooling: kernel 4, stride 1, padding 1
extern "C" void max_pooling_2d(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                               int64_t OH, int64_t OW) {
    for (int64_t n = 0; n < N; n++) {
        for (int64_t c = 0; c < C; c++) {
            for (int64_t oh = 0; oh < OH; oh++) {
                for (int64_t ow = 0; ow < OW; ow++) {
                    float max_val = -INFINITY;
                    for (int64_t kh = 0; kh < 4; kh++) {
                        for (int64_t kw = 0; kw < 4; kw++) {
                            int64_t ih = oh - 1 + kh;
                            int64_t iw = ow - 1 + kw;
                            if (ih >= 0 && ih < H && iw >= 0 && iw < W) {
                                float val = x[((n * C + c) * H + ih) * W + iw];
                                if (val > max_val) max_val = val;
                            }
                        }
                    }
                    y[((n * C + c) * OH + oh) * OW + ow] = max_val;
                }
            }
        }
    }
}
