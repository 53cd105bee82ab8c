#include "kernel.h"

#include <algorithm>
#include <vector>

// The batch is cut into blocks of 16 samples and every block runs through all three layers at
// once, with the activations transposed to [feature][sample]. The 16 samples are the vector:
// each weight is loaded exactly once per block and broadcast, there is no reduction across
// lanes, and the activations of a block never leave the cache.
namespace {

constexpr int kLanes = 16;
constexpr int kFeatures = 4;  // output features per step: independent accumulators

void layer(const float* __restrict in, const float* __restrict w, const float* __restrict b, float* __restrict out,
           int64_t K, int64_t N, bool relu) {
  for (int64_t n = 0; n < N; n += kFeatures) {
    const float* wr[kFeatures];
    for (int f = 0; f < kFeatures; ++f) wr[f] = w + std::min(n + f, N - 1) * K;

    float acc[kFeatures][kLanes] = {};
    for (int64_t k = 0; k < K; ++k)
      for (int f = 0; f < kFeatures; ++f) {
        const float weight = wr[f][k];
        for (int l = 0; l < kLanes; ++l) acc[f][l] += weight * in[k * kLanes + l];
      }

    for (int f = 0; f < kFeatures && n + f < N; ++f)
      for (int l = 0; l < kLanes; ++l) {
        const float z = acc[f][l] + b[n + f];
        out[(n + f) * kLanes + l] = relu && z < 0.0f ? 0.0f : z;
      }
  }
}

}  // namespace

extern "C" void mlp(const float* x, const float* w1, const float* b1, const float* w2, const float* b2, const float* w3,
                    const float* b3, float* y, int64_t B, int64_t I, int64_t H1, int64_t H2, int64_t O) {
#pragma omp parallel for schedule(dynamic)
  for (int64_t first = 0; first < B; first += kLanes) {
    const int64_t samples = std::min<int64_t>(kLanes, B - first);
    std::vector<float> in(I * kLanes, 0.0f), h1(H1 * kLanes), h2(H2 * kLanes), out(O * kLanes);

    for (int64_t s = 0; s < samples; ++s)
      for (int64_t i = 0; i < I; ++i) in[i * kLanes + s] = x[(first + s) * I + i];

    layer(in.data(), w1, b1, h1.data(), I, H1, true);
    layer(h1.data(), w2, b2, h2.data(), H1, H2, true);
    layer(h2.data(), w3, b3, out.data(), H2, O, false);

    for (int64_t s = 0; s < samples; ++s)
      for (int64_t o = 0; o < O; ++o) y[(first + s) * O + o] = out[o * kLanes + s];
  }
}
