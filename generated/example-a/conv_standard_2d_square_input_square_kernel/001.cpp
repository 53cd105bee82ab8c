#include "kernel.h"

#include <algorithm>
#include <vector>

// Direct convolution without im2col. The stride-4 access along the width is what normally
// defeats vectorisation, so the padded input is first split into four phases:
//   phase[p][i] = padded[4 * i + p]
// Tap kw of output column ow reads padded[4*ow + kw] = phase[kw % 4][ow + kw / 4], which is
// contiguous in ow. The inner loop is then a plain axpy over a strip of output columns, with
// several output channels sharing each loaded input vector.
namespace {

constexpr int64_t kKernel = 11, kStride = 4, kPad = 2;
constexpr int kStrip = 32;     // output columns per strip
constexpr int kChannels = 4;   // output channels per strip

}  // namespace

extern "C" void conv_standard_2d_square_input_square_kernel(const float* x, const float* w, const float* b, float* y,
                                                            int64_t N, int64_t C, int64_t H, int64_t W, int64_t O,
                                                            int64_t OH, int64_t OW) {
  const int64_t PH = H + 2 * kPad;
  const int64_t strips = (OW + kStrip - 1) / kStrip;
  const int64_t PW4 = std::max((W + 2 * kPad + kStride - 1) / kStride, strips * kStrip + 2);  // columns per phase

  std::vector<float> phases(static_cast<size_t>(C * PH * kStride * PW4));

  for (int64_t n = 0; n < N; ++n) {
    const float* image = x + n * C * H * W;
    std::fill(phases.begin(), phases.end(), 0.0f);
#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t c = 0; c < C; ++c)
      for (int64_t h = 0; h < H; ++h) {
        const float* line = image + (c * H + h) * W;
        float* out = phases.data() + (c * PH + h + kPad) * kStride * PW4;
        for (int64_t i = 0; i < W; ++i) out[(i + kPad) % kStride * PW4 + (i + kPad) / kStride] = line[i];
      }

#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t o0 = 0; o0 < O; o0 += kChannels)
      for (int64_t oh = 0; oh < OH; ++oh)
        for (int64_t strip = 0; strip < strips; ++strip) {
          const float* weights[kChannels];
          for (int r = 0; r < kChannels; ++r) weights[r] = w + std::min(o0 + r, O - 1) * C * kKernel * kKernel;

          float acc[kChannels][kStrip] = {};
          for (int64_t c = 0; c < C; ++c)
            for (int64_t kh = 0; kh < kKernel; ++kh) {
              const float* line = phases.data() + (c * PH + oh * kStride + kh) * kStride * PW4 + strip * kStrip;
              const int64_t tap = (c * kKernel + kh) * kKernel;
              for (int64_t kw = 0; kw < kKernel; ++kw) {
                const float* in = line + kw % kStride * PW4 + kw / kStride;
                for (int r = 0; r < kChannels; ++r) {
                  const float weight = weights[r][tap + kw];
                  for (int j = 0; j < kStrip; ++j) acc[r][j] += weight * in[j];
                }
              }
            }

          const int64_t first = strip * kStrip, width = std::min<int64_t>(kStrip, OW - first);
          for (int64_t r = 0; r < std::min<int64_t>(kChannels, O - o0); ++r) {
            float* out = y + ((n * O + o0 + r) * OH + oh) * OW + first;
            for (int64_t j = 0; j < width; ++j) out[j] = acc[r][j] + b[o0 + r];
          }
        }
  }
}
