// SPDX-License-Identifier: Apache-2.0
// Channels stay the outer dimension of an image; products take its pixels as rows. Some queries of one head at a time: their scores are kept,
// so that softmax is taken in two passes.
#include "blocks/vector_math.h"

#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

namespace {

// Of N sequences of T packed queries, keys and values: a position attends to all of them.
void attend(const std::vector<float>& packed, float* heads, int64_t N, int64_t T, int64_t H, int64_t D) {
  constexpr int64_t kQueries = 96;
  const int64_t width = H * D;
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel for collapse(3) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t head = 0; head < H; ++head)
      for (int64_t first = 0; first < T; first += kQueries) {
        const int64_t count = std::min(kQueries, T - first);
        const float *q = &packed[(n * T + first) * 3 * width + head * D], *k = &packed[n * T * 3 * width + width + head * D], *v = k + width;
        std::vector<float> scores(count * T);
        blocks::product(count, T, D, blocks::row_major(q, 3 * width), blocks::transposed(k, 3 * width), scores.data(), T);
        for (int64_t t = 0; t < count; ++t) {
          float *row = &scores[t * T], largest = -INFINITY, sum = 0;
#pragma omp simd reduction(max : largest)
          for (int64_t s = 0; s < T; ++s) {
            row[s] *= scale;
            largest = largest < row[s] ? row[s] : largest;
          }
#pragma omp simd reduction(+ : sum)
          for (int64_t s = 0; s < T; ++s) sum += row[s] = blocks::exp(row[s] - largest);
          for (int64_t s = 0; s < T; ++s) row[s] /= sum;
        }
        float* out = heads + (n * T + first) * width + head * D;
        blocks::product(count, D, T, blocks::row_major(scores.data(), T), blocks::row_major(v, 3 * width), out, width);
      }
}

// In place; x and a bias of each channel are added before.
void normalize(const float* x, const float* bias, const float* scale, const float* shift, float* y, int64_t N, int64_t width, int64_t area) {
  constexpr int64_t kPixels = 32;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t n = 0; n < N; ++n)
    for (int64_t first = 0; first < area; first += kPixels) {
      const int64_t count = std::min(kPixels, area - first), image = n * width * area + first;
      double mean[kPixels] = {}, squares[kPixels] = {}, factor[kPixels];
      for (int64_t i = 0; i < width; ++i)
        for (int64_t p = 0; p < count; ++p) mean[p] += y[image + i * area + p] += x[image + i * area + p] + bias[i];
      for (double& each : mean) each /= static_cast<double>(width);
      for (int64_t i = 0; i < width; ++i)
        for (int64_t p = 0; p < count; ++p) squares[p] += (y[image + i * area + p] - mean[p]) * (y[image + i * area + p] - mean[p]);
      for (int64_t p = 0; p < kPixels; ++p) factor[p] = 1 / std::sqrt(squares[p] / static_cast<double>(width) + 1e-5);
      for (int64_t i = 0; i < width; ++i)
        for (int64_t p = 0; p < count; ++p)
          y[image + i * area + p] = static_cast<float>((y[image + i * area + p] - mean[p]) * factor[p] * scale[i] + shift[i]);
    }
}

}  // namespace

extern "C" void vision_attention(const float* x, const float* w, const float* b, const float* u, const float* c, const float* scale,
                                 const float* shift, float* y, int64_t N, int64_t D, int64_t H, int64_t W) {
  const int64_t area = H * W, width = 4 * D, size = width * area;
  std::vector<float> packed(N * 3 * size), heads(N * size);
  for (int64_t n = 0; n < N; ++n) {
    float* pixels = &packed[n * 3 * size];
    for (int64_t p = 0; p < area; ++p) std::copy_n(b, 3 * width, pixels + p * 3 * width);
    blocks::product(area, 3 * width, width, blocks::transposed(x + n * size, area), blocks::row_major(w, 3 * width), pixels, 3 * width, true);
  }
  attend(packed, heads.data(), N, area, 4, D);
  for (int64_t n = 0; n < N; ++n)
    blocks::product(width, area, width, blocks::transposed(u, width), blocks::transposed(&heads[n * size], width), y + n * size, area);
  normalize(x, c, scale, shift, y, N, width, area);
}
