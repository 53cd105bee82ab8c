#include "kernel.h"

#include <cstring>

// Branch-free ReLU on the bit pattern: shifting the sign bit over the whole word gives
// an all-ones mask for negative numbers, and x & ~mask clears exactly those.
// Integer ops have lower latency than float max on most cores and -0.0f becomes +0.0f.
extern "C" void relu(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* __restrict in = x + n * C;
    float* __restrict out = y + n * C;
    for (int64_t c = 0; c < C; ++c) {
      int32_t bits;
      std::memcpy(&bits, in + c, sizeof(bits));
      bits &= ~(bits >> 31);
      std::memcpy(out + c, &bits, sizeof(bits));
    }
  }
}
