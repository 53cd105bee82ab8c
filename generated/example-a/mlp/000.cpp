#include "kernel.h"

#include <algorithm>
#include <vector>

// Three fused linear layers (bias + optional ReLU in the epilogue), each one a register-tiled
// product in which w is packed into panels of kNR output features. Activations between the
// layers are kept row-major, so the output of one layer is the input of the next as it is.
namespace {

#if defined(__AVX512F__)
constexpr int kWidth = 16;
#else
constexpr int kWidth = 8;
#endif
typedef float Vec __attribute__((vector_size(kWidth * sizeof(float))));
typedef Vec LooseVec __attribute__((aligned(sizeof(float)), may_alias));

constexpr int kMR = 6;
constexpr int kNR = 2 * kWidth;

template <bool Relu>
void linear(const float* in, const float* w, const float* b, float* out, int64_t rows, int64_t ins, int64_t outs) {
  const int64_t panels = (outs + kNR - 1) / kNR;

#pragma omp parallel
  {
    std::vector<float> packed(static_cast<size_t>(ins) * kNR);

#pragma omp for schedule(static)
    for (int64_t p = 0; p < panels; ++p) {
      const int64_t first = p * kNR, columns = std::min<int64_t>(kNR, outs - first);
      float bias[kNR] = {};
      std::copy(b + first, b + first + columns, bias);
      for (int64_t j = 0; j < kNR; ++j) {
        const float* from = w + (first + std::min(j, columns - 1)) * ins;
        for (int64_t k = 0; k < ins; ++k) packed[k * kNR + j] = from[k];
      }

      for (int64_t r0 = 0; r0 < rows; r0 += kMR) {
        const float* row[kMR];
        for (int64_t r = 0; r < kMR; ++r) row[r] = in + std::min(r0 + r, rows - 1) * ins;

        Vec acc[kMR][2] = {};
        for (int64_t k = 0; k < ins; ++k) {
          const Vec w0 = *reinterpret_cast<const LooseVec*>(&packed[k * kNR]);
          const Vec w1 = *reinterpret_cast<const LooseVec*>(&packed[k * kNR + kWidth]);
#pragma GCC unroll 6
          for (int r = 0; r < kMR; ++r) {
            acc[r][0] += w0 * row[r][k];
            acc[r][1] += w1 * row[r][k];
          }
        }

        const int64_t valid = std::min<int64_t>(kMR, rows - r0);
        for (int64_t r = 0; r < valid; ++r) {
          float tile[kNR];
          for (int j = 0; j < kNR; ++j) {
            const float z = acc[r][j / kWidth][j % kWidth] + bias[j];
            tile[j] = Relu ? std::max(z, 0.0f) : z;
          }
          std::copy(tile, tile + columns, out + (r0 + r) * outs + first);
        }
      }
    }
  }
}

}  // namespace

extern "C" void mlp(const float* x, const float* w1, const float* b1, const float* w2, const float* b2, const float* w3,
                    const float* b3, float* y, int64_t B, int64_t I, int64_t H1, int64_t H2, int64_t O) {
  std::vector<float> h1(static_cast<size_t>(B * H1)), h2(static_cast<size_t>(B * H2));
  linear<true>(x, w1, b1, h1.data(), B, I, H1);
  linear<true>(h1.data(), w2, b2, h2.data(), B, H1, H2);
  linear<false>(h2.data(), w3, b3, y, B, H2, O);
}
