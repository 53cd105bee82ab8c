// SPDX-License-Identifier: Apache-2.0
// Layer after layer, each whole. The channels of a pixel lie side by side. A shifted window reads its pixels where they are: no
// image is rolled.
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "kernel.h"

namespace {

struct pixels {
  int64_t n, side, channels;  // images of side by side pixels
  std::vector<float> data = std::vector<float>(n * side * side * channels);
  int64_t count() const { return n * side * side; }
  float* at(int64_t i, int64_t h, int64_t w) { return &data[((i * side + h) * side + w) * channels]; }
  const float* at(int64_t i, int64_t h, int64_t w) const { return &data[((i * side + h) * side + w) * channels]; }
};

// The result of a function of each row of `x`, which writes `outputs` numbers.
template <class F>
pixels each_pixel(const pixels& x, int64_t outputs, F&& f) {
  pixels y{x.n, x.side, outputs};
#pragma omp parallel for schedule(static)
  for (int64_t p = 0; p < x.count(); ++p) f(&x.data[p * x.channels], &y.data[p * outputs]);
  return y;
}

pixels linear(const pixels& x, const float* w, const float* b, int64_t outputs) {
  pixels y{x.n, x.side, outputs};
  for (int64_t p = 0; b != nullptr && p < x.count(); ++p) std::copy_n(b, outputs, &y.data[p * outputs]);
  blocks::product(x.count(), outputs, x.channels, blocks::row_major(x.data.data(), x.channels), blocks::transposed(w, x.channels),
                  y.data.data(), outputs, b != nullptr);
  return y;
}

pixels normalize(const pixels& x, const float* scale, const float* shift) {
  return each_pixel(x, x.channels, [&](const float* in, float* out) {
    double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < x.channels; ++c) sum += in[c];
    const double mean = sum / static_cast<double>(x.channels);
#pragma omp simd reduction(+ : squares)
    for (int64_t c = 0; c < x.channels; ++c) squares += (in[c] - mean) * (in[c] - mean);
    const double factor = 1 / std::sqrt(squares / static_cast<double>(x.channels) + 1e-5);
    for (int64_t c = 0; c < x.channels; ++c) out[c] = static_cast<float>((in[c] - mean) * factor * scale[c] + shift[c]);
  });
}

// Patches of 4x4 as channels.
pixels read_patches(const float* x, int64_t N, int64_t side) {
  pixels y{N, side, 48};
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t i = 0; i < N; ++i)
    for (int64_t h = 0; h < side; ++h)
      for (int64_t w = 0; w < side; ++w)
        for (int64_t c = 0; c < 12; ++c)
          std::copy_n(x + ((i * 3 + c / 4) * 4 * side + 4 * h + c % 4) * 4 * side + 4 * w, 4, y.at(i, h, w) + 4 * c);
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

void apply_gelu(pixels& x) {
  float* z = x.data.data();
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < x.data.size(); ++i) z[i] *= 0.5f * (1 + blocks::erf(z[i] * 0.70710678f));
}

float dot(const float* a, const float* b, int64_t size) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

struct head_weights {
  const float *log_scale, *place, *b_place, *bias;
  int64_t features;  // of the layer between a distance and its biases
};

// What each head adds to the score of two positions of a window, [head][key][query], with `width` queries of which those past the window
// are 0.
std::vector<float> distance_biases(const head_weights& w, int64_t heads, int64_t size, int64_t width) {
  const int64_t span = 2 * size - 1, area = size * size;
  const auto logarithmic = [&](int64_t step) {
    const float part = 8.0f * static_cast<float>(step - (size - 1)) / static_cast<float>(size - 1);
    return std::copysign(blocks::log2(std::fabs(part) + 1) / 3, part);
  };
  std::vector<float> table(span * span * heads);  // of rows and columns apart, from -(size - 1) on
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t h = 0; h < span; ++h)
    for (int64_t v = 0; v < span; ++v) {
      std::vector<float> active(w.features);
      for (int64_t f = 0; f < w.features; ++f)
        active[f] = std::max(0.0f, w.place[2 * f] * logarithmic(h) + w.place[2 * f + 1] * logarithmic(v) + w.b_place[f]);
      for (int64_t head = 0; head < heads; ++head)
        table[(h * span + v) * heads + head] = 16 / (1 + blocks::exp(-dot(w.bias + head * w.features, active.data(), w.features)));
    }
  std::vector<float> biases(heads * area * width);
  for (int64_t p = 0; p < area; ++p)
    for (int64_t q = 0; q < area; ++q) {
      const int64_t rows_apart = p / size - q / size + size - 1, columns_apart = p % size - q % size + size - 1;
      for (int64_t head = 0; head < heads; ++head)
        biases[(head * area + q) * width + p] = table[(rows_apart * span + columns_apart) * heads + head];
    }
  return biases;
}

// Makes queries and keys of each head unit vectors, the queries times the head's factor. A pixel has all queries, keys and values.
void scale_directions(pixels& qkv, const float* log_scale, int64_t heads) {
  const int64_t D = qkv.channels / (3 * heads);
  std::vector<float> lengths(2 * heads, 1.0f);
  for (int64_t head = 0; head < heads; ++head) lengths[head] = blocks::exp(std::min(log_scale[head], blocks::log(100.0f)));
#pragma omp parallel for schedule(static)
  for (int64_t p = 0; p < qkv.count(); ++p)
    for (int64_t part = 0; part < 2 * heads; ++part) {
      float* x = &qkv.data[p * qkv.channels + part * D];
      const float factor = lengths[part] / std::sqrt(dot(x, x, D));
      for (int64_t d = 0; d < D; ++d) x[d] *= factor;
    }
}

// Attention within windows of size by size pixels, of which the first begins `shift` pixels inside of the image; the last go on at its
// front. The lanes of a vector are queries.
pixels attend(pixels qkv, const head_weights& weights, int64_t heads, int64_t size, int64_t shift) {
  constexpr int64_t lanes = blocks::kLanes;
  const int64_t side = qkv.side, windows = side / size, area = size * size, C = qkv.channels / 3, D = C / heads;
  const int64_t vectors = (area + lanes - 1) / lanes, width = vectors * lanes;
  scale_directions(qkv, weights.log_scale, heads);
  const std::vector<float> biases = distance_biases(weights, heads, size, width);
  pixels y{qkv.n, side, C};
#pragma omp parallel
  {
    std::vector<blocks::Vector> queries(D * vectors), scores(area * vectors), largest(vectors), sums(vectors);
    std::vector<float> apart(area * width);        // taken from the score of a key and a query that lie beyond different edges of the image
    std::vector<int64_t> pixel(area), edge(area);  // of a window's positions; the edge tells which of those of the image it lies beyond
#pragma omp for collapse(3) schedule(static)
    for (int64_t i = 0; i < qkv.n; ++i)
      for (int64_t row = 0; row < windows; ++row)
        for (int64_t column = 0; column < windows; ++column) {
          for (int64_t p = 0; p < area; ++p) {
            const int64_t h = row * size + shift + p / size, v = column * size + shift + p % size;
            pixel[p] = (i * side + h % side) * side + v % side;
            edge[p] = 2 * (h / side) + v / side;
          }
          for (int64_t q = 0; q < area; ++q)
            for (int64_t p = 0; p < area; ++p) apart[q * width + p] = edge[p] == edge[q] ? 0.0f : 100.0f;
          for (int64_t head = 0; head < heads; ++head) {
            const float* of_head = &qkv.data[head * D];
            for (int64_t p = 0; p < area; ++p)
              for (int64_t d = 0; d < D; ++d) queries[d * vectors + p / lanes][p % lanes] = of_head[pixel[p] * 3 * C + d];
            for (int64_t g = 0; g < vectors; ++g) largest[g] = blocks::Vector{} - INFINITY, sums[g] = blocks::Vector{};
            for (int64_t q = 0; q < area; ++q)
              for (int64_t g = 0; g < vectors; ++g) {
                const float* key = of_head + pixel[q] * 3 * C + C;
                blocks::Vector score, far;
                std::memcpy(&score, &biases[(head * area + q) * width + g * lanes], sizeof score);
                std::memcpy(&far, &apart[q * width + g * lanes], sizeof far);
                score -= far;
                for (int64_t d = 0; d < D; ++d) score += key[d] * queries[d * vectors + g];
                scores[q * vectors + g] = score;
                largest[g] = score > largest[g] ? score : largest[g];
              }
            for (int64_t q = 0; q < area; ++q)
              for (int64_t g = 0; g < vectors; ++g) {
                float* share = reinterpret_cast<float*>(&scores[q * vectors + g]);
#pragma omp simd
                for (int64_t p = 0; p < lanes; ++p) share[p] = blocks::exp(share[p] - largest[g][p]);
                sums[g] += scores[q * vectors + g];
              }
            for (int64_t q = 0; q < area; ++q)
              for (int64_t g = 0; g < vectors; ++g) scores[q * vectors + g] /= sums[g];
            for (int64_t d = 0; d < D; ++d)
              for (int64_t g = 0; g < vectors; ++g) {
                blocks::Vector sum = {};
                for (int64_t q = 0; q < area; ++q) sum += of_head[pixel[q] * 3 * C + 2 * C + d] * scores[q * vectors + g];
                for (int64_t p = g * lanes; p < std::min(area, (g + 1) * lanes); ++p) y.data[pixel[p] * C + head * D + d] = sum[p % lanes];
              }
          }
        }
  }
  return y;
}

struct stage {
  int64_t windows, heads, blocks;  // windows on each side of the image
};
constexpr stage stages[] = {{8, 3, 2}, {4, 6, 2}, {2, 12, 6}, {1, 24, 2}};

}  // namespace

extern "C" void swintransformer_v2(const float* x, const float* patch, const float* b_patch, const float* qkv, const float* b_query,
                                   const float* b_value, const float* out, const float* b_out, const float* log_scale, const float* place,
                                   const float* b_place, const float* bias, const float* widen, const float* b_widen, const float* narrow,
                                   const float* b_narrow, const float* merge, const float* scale, const float* shift, const float* head,
                                   const float* b, float* y, int64_t N, int64_t S, int64_t D, int64_t M, int64_t K) {
  // What a layer takes of the weights follows that of the layer before it.
  const auto taken = [](const float*& from, int64_t count) { return (from += count) - count; };
  const auto norm = [&](const pixels& h) {
    const int64_t c = h.channels;
    return normalize(h, taken(scale, c), taken(shift, c));
  };
  pixels h = norm(linear(read_patches(x, N, 8 * S), patch, b_patch, 3 * D));
  for (const stage& next : stages) {
    const int64_t c = next.heads * D;
    for (int64_t i = 0; i < next.blocks; ++i) {
      std::vector<float> biases(3 * c);  // keys have none
      std::copy_n(taken(b_query, c), c, biases.begin());
      std::copy_n(taken(b_value, c), c, biases.begin() + 2 * c);
      const head_weights heads{taken(log_scale, next.heads), taken(place, 2 * M), taken(b_place, M), taken(bias, next.heads * M), M};
      const pixels mixed =
          attend(linear(h, taken(qkv, 3 * c * c), biases.data(), 3 * c), heads, next.heads, S, i % 2 == 1 && next.windows > 1 ? S / 2 : 0);
      add(h, norm(linear(mixed, taken(out, c * c), taken(b_out, c), c)));
      pixels wide = linear(h, taken(widen, 4 * c * c), taken(b_widen, 4 * c), 4 * c);
      apply_gelu(wide);
      add(h, norm(linear(wide, taken(narrow, 4 * c * c), taken(b_narrow, c), c)));
    }
    if (next.windows > 1) h = norm(linear(gather_squares(h), taken(merge, 8 * c * c), nullptr, 2 * c));
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
