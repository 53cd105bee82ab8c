// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole. The channels of a pixel lie side by side, so a linear layer is a product.
#include "blocks/vector_math.h"

#include "blocks/product.h"

#include <cmath>

#include "kernel.h"

namespace {

struct pixels {
  int64_t n, side, channels;  // images of side by side pixels
  std::vector<float> data = std::vector<float>(n * side * side * channels);
  int64_t count() const { return n * side * side; }
  float* at(int64_t i, int64_t h, int64_t w) { return &data[((i * side + h) * side + w) * channels]; }
  const float* at(int64_t i, int64_t h, int64_t w) const { return &data[((i * side + h) * side + w) * channels]; }
};

pixels linear(const pixels& x, const float* w, const float* b, int64_t outputs) {
  pixels y{x.n, x.side, outputs};
  if (b != nullptr)
#pragma omp parallel for schedule(static)
    for (int64_t p = 0; p < x.count(); ++p) std::copy_n(b, outputs, &y.data[p * outputs]);
  const blocks::Strided rows = blocks::row_major(x.data.data(), x.channels), weights = blocks::transposed(w, x.channels);
  blocks::product(x.count(), outputs, x.channels, rows, weights, y.data.data(), outputs, true);
  return y;
}

pixels normalize(const pixels& x, const float* scale, const float* shift) {
  pixels y{x.n, x.side, x.channels};
#pragma omp parallel for schedule(static)
  for (int64_t p = 0; p < x.count(); ++p) {
    const float* in = &x.data[p * x.channels];
    float* out = &y.data[p * x.channels];
    double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < x.channels; ++c) sum += in[c];
    const double mean = sum / static_cast<double>(x.channels);
#pragma omp simd reduction(+ : squares)
    for (int64_t c = 0; c < x.channels; ++c) squares += (in[c] - mean) * (in[c] - mean);
    const double factor = 1 / std::sqrt(squares / static_cast<double>(x.channels) + 1e-5);
    for (int64_t c = 0; c < x.channels; ++c) out[c] = static_cast<float>((in[c] - mean) * factor * scale[c] + shift[c]);
  }
  return y;
}

// Patches of 4x4 as channels.
pixels read_patches(const float* x, int64_t N, int64_t side) {
  pixels y{N, side, 48};
  for (int64_t i = 0; i < N; ++i)
    for (int64_t h = 0; h < side; ++h)
      for (int64_t w = 0; w < side; ++w)
        for (int64_t c = 0; c < 48; ++c)
          y.at(i, h, w)[c] = x[((i * 3 + c / 16) * 4 * side + 4 * h + c % 16 / 4) * 4 * side + 4 * w + c % 4];
  return y;
}

// The positions of each window of size by size pixels, of which the first begins `before` pixels outside of the image, mixed by each head:
// its weights times a matrix with a row for each place in a window and a head's channels of all windows side by side.
pixels mix(const pixels& x, int64_t heads, int64_t size, int64_t before, const float* w, const float* b) {
  pixels y{x.n, x.side, x.channels};
  const int64_t windows = x.side / size + (before > 0), area = size * size, D = x.channels / heads, width = windows * windows * D;
  const auto place = [=](int64_t h, int64_t v) { return (h + before) % size * size + (v + before) % size; };
  const auto window = [=](int64_t h, int64_t v) { return (h + before) / size * windows + (v + before) / size; };
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t i = 0; i < x.n; ++i)
    for (int64_t head = 0; head < heads; ++head) {
      std::vector<float> in(area * width), out(area * width);
      for (int64_t h = 0; h < x.side; ++h)
        for (int64_t v = 0; v < x.side; ++v) std::copy_n(x.at(i, h, v) + head * D, D, &in[place(h, v) * width + window(h, v) * D]);
      const blocks::Strided weights = blocks::row_major(w + head * area * area, area), positions = blocks::row_major(in.data(), width);
      blocks::product(area, width, area, weights, positions, out.data(), width);
      for (int64_t h = 0; h < x.side; ++h)
        for (int64_t v = 0; v < x.side; ++v) {
          const float *from = &out[place(h, v) * width + window(h, v) * D], bias = b[head * area + place(h, v)];
          float* to = y.at(i, h, v) + head * D;
          for (int64_t d = 0; d < D; ++d) to[d] = from[d] + bias;
        }
    }
  return y;
}

// Squares of four pixels as one, column after column.
pixels gather_squares(const pixels& x) {
  pixels y{x.n, x.side / 2, 4 * x.channels};
  for (int64_t i = 0; i < y.n; ++i)
    for (int64_t h = 0; h < y.side; ++h)
      for (int64_t w = 0; w < y.side; ++w)
        for (int64_t q = 0; q < 4; ++q) std::copy_n(x.at(i, 2 * h + q % 2, 2 * w + q / 2), x.channels, y.at(i, h, w) + q * x.channels);
  return y;
}

void add(pixels& x, const pixels& other) {
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] += other.data[i];
}

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z * 0.70710678f)); }

struct stage {
  int64_t windows, heads, blocks;  // windows on each side of the image
};
constexpr stage stages[] = {{8, 3, 2}, {4, 6, 2}, {2, 12, 6}, {1, 24, 2}};

}  // namespace

extern "C" void swin_mlp(const float* x, const float* patch, const float* b_patch, const float* mix_weights, const float* b_mix,
                         const float* widen, const float* b_widen, const float* narrow, const float* b_narrow, const float* merge,
                         const float* scale, const float* shift, const float* head, const float* b, float* y, int64_t N, int64_t S,
                         int64_t D, int64_t K) {
  // What a layer takes of the weights follows that of the layer before it.
  const auto taken = [](const float*& from, int64_t count) { return (from += count) - count; };
  const auto norm = [&](const pixels& h) {
    const int64_t c = h.channels;
    return normalize(h, taken(scale, c), taken(shift, c));
  };
  pixels h = norm(linear(read_patches(x, N, 8 * S), patch, b_patch, 3 * D));
  for (const stage& next : stages) {
    const int64_t c = next.heads * D, area = S * S;
    for (int64_t i = 0; i < next.blocks; ++i) {
      const int64_t before = i % 2 == 1 && next.windows > 1 ? (S + 1) / 2 : 0;
      add(h, mix(norm(h), next.heads, S, before, taken(mix_weights, next.heads * area * area), taken(b_mix, next.heads * area)));
      pixels wide = linear(norm(h), taken(widen, 4 * c * c), taken(b_widen, 4 * c), 4 * c);
#pragma omp parallel for simd schedule(static)
      for (std::size_t j = 0; j < wide.data.size(); ++j) wide.data[j] = gelu(wide.data[j]);
      add(h, linear(wide, taken(narrow, 4 * c * c), taken(b_narrow, c), c));
    }
    if (next.windows > 1) h = linear(norm(gather_squares(h)), taken(merge, 8 * c * c), nullptr, 2 * c);
  }
  h = norm(h);
  for (int64_t i = 0; i < N; ++i) {
    std::vector<double> mean(h.channels);
    for (int64_t p = 0; p < S * S; ++p)
      for (int64_t c = 0; c < h.channels; ++c) mean[c] += h.at(i, 0, p)[c] / static_cast<double>(S * S);
    for (int64_t k = 0; k < K; ++k) {
      double sum = b[k];
      for (int64_t c = 0; c < h.channels; ++c) sum += head[k * h.channels + c] * mean[c];
      y[i * K + k] = static_cast<float>(sum);
    }
  }
}
