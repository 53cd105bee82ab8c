#include "kernel.h"

#include <algorithm>
#include <memory>

// One fused "linear + bias + ReLU" routine is used for all layers; the hidden activations
// ping-pong between two scratch buffers that are allocated once per call.
namespace {

void linear_relu(const float* __restrict in, const float* __restrict weight, const float* __restrict bias,
                 float* __restrict out, int64_t batch, int64_t in_features, int64_t out_features) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t i = 0; i < batch; ++i) {
    for (int64_t o = 0; o < out_features; ++o) {
      const float* a = in + i * in_features;
      const float* w = weight + o * in_features;
      float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
      for (int64_t k = 0; k < in_features; ++k) sum += a[k] * w[k];
      out[i * out_features + o] = std::max(sum + bias[o], 0.0f);
    }
  }
}

}  // namespace

extern "C" void mlp(const float* x, const float* w1, const float* b1, const float* w2, const float* b2, const float* w3,
                    const float* b3, float* y, int64_t B, int64_t I, int64_t H1, int64_t H2, int64_t O) {
  std::unique_ptr<float[]> h1(new float[B * H1]);
  std::unique_ptr<float[]> h2(new float[B * H2]);

  linear_relu(x, w1, b1, h1.get(), B, I, H1);
  linear_relu(h1.get(), w2, b2, h2.get(), B, H1, H2);
  linear_relu(h2.get(), w3, b3, y, B, H2, O);
}
