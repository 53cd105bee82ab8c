// SPDX-License-Identifier: Apache-2.0
// Three products for each image, one for each row of the kernel: dy [O, positions] times the matrix of what the row's three taps see there.
// The image is copied with its channels innermost and a border of zeros, so that these 3 C numbers are neighbours and the matrix is never
// written: its rows overlap. The rows of dy are copied as long as the image's.
#include "blocks/product.h"

#include "kernel.h"

extern "C" void conv_2d_backward_weight(const float* x, const float* dy, float* dw, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
  const int64_t pitch = W + 2, positions = H * pitch, seen = 3 * C;
  std::vector<float> image(((H + 2) * pitch + 2) * C), gradient(O * positions), sums(3 * O * seen);
  for (int64_t n = 0; n < N; ++n) {
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
      for (int64_t h = 0; h < H; ++h)
        for (int64_t v = 0; v < W; ++v)
          for (int64_t c = 0; c < C; ++c) image[((h + 1) * pitch + v + 1) * C + c] = x[((n * C + c) * H + h) * W + v];
#pragma omp for schedule(static)
      for (int64_t o = 0; o < O; ++o)
        for (int64_t h = 0; h < H; ++h) std::copy_n(dy + ((n * O + o) * H + h) * W, W, &gradient[o * positions + h * pitch]);
    }
    for (int64_t i = 0; i < 3; ++i)
      blocks::product(O, seen, positions, blocks::row_major(gradient.data(), positions), blocks::row_major(&image[i * pitch * C], C),
                      &sums[i * O * seen], seen, n > 0);
  }
  for (int64_t o = 0; o < O; ++o)
    for (int64_t c = 0; c < C; ++c)
      for (int64_t i = 0; i < 3; ++i)
        for (int64_t j = 0; j < 3; ++j) dw[((o * C + c) * 3 + i) * 3 + j] = sums[(i * O + o) * seen + j * C + c];
}
