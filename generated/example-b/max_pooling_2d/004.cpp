Here is an implementation of the max pooling kernel. It uses OpenMP to parallelize over the batch and
channel dimensions and handles the padding by clamping the window to the valid input region:

```cpp
#include "kernel.h"
#include <algorithm>
#include <cmath>

extern "C" void max_pooling_2d(const float* x, float* y, int64_t N, int64_t C, int64_t H, int64_t W,
                               int64_t OH, int64_t OW) {
    #pragma omp parallel for
    for (int64_t nc = 0; nc < N * C; nc++) {
        for (int64_t oh = 0; oh < OH; oh++) {
            for (int64_t ow = 0; ow < OW; ow++) {
                float m = -INFINITY;
                for (int64_t h = std::max<int64_t>(0, oh - 1); h < std::min(H, oh + 3); h++)
                    for (int64_t w = std::max<int64_t>(0, ow - 1); w < std::min(W, ow + 3); w++)
                        m = std::max(m, x[(nc * H + h) * W + w]);
                y[(nc * OH + oh) * OW + ow] = m;
            }
        }
    }
}
```

The time complexity is O(N * C * OH * OW * 16). Let me know if you would like a version that uses the
separability of the maximum to reduce the number of comparisons!
