#include "kernel.h"

#include <algorithm>
#include <vector>

// 11x11 convolution, stride 4, padding 2, as im2col + packed GEMM:
//   weights [O] x [K = C*121]   times   columns [K] x [output pixels]
// The im2col matrix is never materialised: one panel of kNR pixels is gathered at a time, in
// the order in which the micro-kernel reads it, and it stays in L2 while all O channels use it.
namespace {

constexpr int64_t kKernel = 11, kStride = 4, kPad = 2, kTaps = kKernel * kKernel;

#if defined(__AVX512F__)
constexpr int kWidth = 16;
#else
constexpr int kWidth = 8;
#endif
typedef float Vec __attribute__((vector_size(kWidth * sizeof(float))));
typedef Vec LooseVec __attribute__((aligned(sizeof(float)), may_alias));

constexpr int kMR = 6;           // output channels per tile
constexpr int kNR = 2 * kWidth;  // output pixels per tile

struct Shape {
  int64_t C, H, W, O, OH, OW;
};

// Gathers kNR output pixels starting at flat index `pixel`: panel[k][j], zeros in the padding and past the end.
void gather_panel(const float* x, float* panel, int64_t pixel, const Shape& s) {
  int64_t row[kNR], col[kNR];
  for (int j = 0; j < kNR; ++j) {
    const int64_t p = std::min(pixel + j, s.OH * s.OW - 1);
    row[j] = p / s.OW * kStride - kPad;
    col[j] = p % s.OW * kStride - kPad;
  }
  for (int64_t c = 0; c < s.C; ++c) {
    const float* plane = x + c * s.H * s.W;
    for (int64_t kh = 0; kh < kKernel; ++kh) {
      float* out = panel + (c * kTaps + kh * kKernel) * kNR;
      for (int j = 0; j < kNR; ++j) {
        const int64_t h = row[j] + kh;
        const bool row_inside = h >= 0 && h < s.H;
        const float* line = plane + (row_inside ? h : 0) * s.W;
        const int64_t first = col[j];
        if (row_inside && first >= 0 && first + kKernel <= s.W) {
          for (int64_t kw = 0; kw < kKernel; ++kw) out[kw * kNR + j] = line[first + kw];
        } else {
          for (int64_t kw = 0; kw < kKernel; ++kw) {
            const int64_t w = first + kw;
            out[kw * kNR + j] = row_inside && w >= 0 && w < s.W ? line[w] : 0.0f;
          }
        }
      }
    }
  }
}

void multiply_panel(const float* w, const float* b, const float* panel, float* y, int64_t pixel, const Shape& s) {
  const int64_t K = s.C * kTaps, pixels = s.OH * s.OW;
  const int64_t valid = std::min<int64_t>(kNR, pixels - pixel);
  for (int64_t o = 0; o < s.O; o += kMR) {
    const float* row[kMR];
    for (int r = 0; r < kMR; ++r) row[r] = w + std::min(o + r, s.O - 1) * K;

    Vec acc[kMR][2] = {};
    for (int64_t k = 0; k < K; ++k) {
      const Vec p0 = *reinterpret_cast<const LooseVec*>(panel + k * kNR);
      const Vec p1 = *reinterpret_cast<const LooseVec*>(panel + k * kNR + kWidth);
#pragma GCC unroll 6
      for (int r = 0; r < kMR; ++r) {
        acc[r][0] += p0 * row[r][k];
        acc[r][1] += p1 * row[r][k];
      }
    }

    for (int64_t r = 0; r < std::min<int64_t>(kMR, s.O - o); ++r) {
      float tile[kNR];
      for (int j = 0; j < kNR; ++j) tile[j] = acc[r][j / kWidth][j % kWidth] + b[o + r];
      std::copy(tile, tile + valid, y + (o + r) * pixels + pixel);
    }
  }
}

}  // namespace

extern "C" void conv_standard_2d_square_input_square_kernel(const float* x, const float* w, const float* b, float* y,
                                                            int64_t N, int64_t C, int64_t H, int64_t W, int64_t O,
                                                            int64_t OH, int64_t OW) {
  const Shape s{C, H, W, O, OH, OW};
  const int64_t panels = (OH * OW + kNR - 1) / kNR;

#pragma omp parallel
  {
    std::vector<float> panel(static_cast<size_t>(C * kTaps) * kNR);
#pragma omp for collapse(2) schedule(static)
    for (int64_t n = 0; n < N; ++n)
      for (int64_t p = 0; p < panels; ++p) {
        gather_panel(x + n * C * H * W, panel.data(), p * kNR, s);
        multiply_panel(w, b, panel.data(), y + n * O * OH * OW, p * kNR, s);
      }
  }
}
