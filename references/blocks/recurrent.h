// SPDX-License-Identifier: Apache-2.0
// Recurrent layers of float32: Elman's ("Finding Structure in Time", Cognitive Science 14, 1990), LSTM (Gers, Schmidhuber and Cummins,
// "Learning to Forget", Neural Computation 12, 2000) and GRU (Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder",
// EMNLP 2014), whose reset gate scales the product of the state. One product gives what all steps take of the input. Then sequences are
// independent of each other, and a few of them go through the steps together: a weight that is read serves all of them.
#pragma once

#include "blocks/vector_math.h"
#include "blocks/product.h"

namespace blocks {

constexpr int kTogether = 4;  // sequences

/// w [outputs, inputs], whose rows are `stride` apart, transposed and in panels.
inline std::vector<PanelRow> packed(const float* w, int64_t stride, int64_t inputs, int64_t outputs) {
  std::vector<PanelRow> panels((outputs + kColumns - 1) / kColumns * inputs);
  for (int64_t o = 0; o < outputs; o += kColumns)
    pack_panel({w + o * stride, 1, stride}, inputs, std::min<int64_t>(kColumns, outputs - o), &panels[o / kColumns * inputs]);
  return panels;
}

/// Of `count` sequences: sums [count, outputs], whose rows are `stride` apart, += states [count, inputs] times the panels.
inline void add_product(const PanelRow* panel, const float* states, int64_t count, int64_t inputs, int64_t outputs, float* sums,
                        int64_t stride) {
  std::vector<float> strip(kTogether * inputs);
  pack_strip<kTogether>({states, inputs, 1}, count, inputs, strip.data());
  for (int64_t o = 0; o < outputs; o += kColumns, panel += inputs) {
    Vector tile[kRows][2];
    multiply_tile<kTogether>(inputs, strip.data(), panel, tile);
    store_tile(tile, count, std::min<int64_t>(kColumns, outputs - o), true, sums + o, stride);
  }
}

/// The steps of a layer without gates: y [T, B, H] holds what they take of the input and becomes tanh(y + state r^T), the states. r [H, H]
/// has rows that are `stride` apart; hidden [B, H] is the state before the first step.
inline void elman_steps(const float* r, int64_t stride, const float* hidden, float* y, int64_t T, int64_t B, int64_t H) {
  const std::vector<PanelRow> panels = packed(r, stride, H, H);
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < B; first += kTogether) {
    const int64_t count = std::min<int64_t>(kTogether, B - first);
    const float* states = hidden + first * H;
    for (int64_t t = 0; t < T; ++t) {
      float* next = y + (t * B + first) * H;
      add_product(panels.data(), states, count, H, H, next, H);
      for (int64_t i = 0; i < count * H; ++i) next[i] = tanh(next[i]);
      states = next;
    }
  }
}

/// How many rows a sequence and a step lie behind the one before: {T, 1} of [B, T, ...], {1, B} of [T, B, ...].
struct RowOrder {
  int64_t sequence, step;
};

/// One direction of a layer. x [rows, inputs], w [4 H, inputs], r [4 H, H], b [2, 4 H], each for the input, output and forget gate and the
/// fresh cell; hidden and cells [B, H] become the last ones; y [rows, H], whose rows are `stride` apart.
inline void lstm_layer(const float* x, const float* w, const float* r, const float* b, float* hidden, float* cells, float* y, int64_t T,
                       int64_t B, int64_t inputs, int64_t H, RowOrder order, int64_t stride, bool reverse) {
  std::vector<float> gates(B * T * 4 * H);
  for (int64_t row = 0; row < B * T; ++row)
    for (int64_t i = 0; i < 4 * H; ++i) gates[row * 4 * H + i] = b[i] + b[4 * H + i];
  product(B * T, 4 * H, inputs, row_major(x, inputs), transposed(w, inputs), gates.data(), 4 * H, true);
  const std::vector<PanelRow> panels = packed(r, H, H, 4 * H);
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < B; first += kTogether) {
    const int64_t count = std::min<int64_t>(kTogether, B - first);
    for (int64_t step = 0; step < T; ++step) {
      const int64_t row = first * order.sequence + (reverse ? T - 1 - step : step) * order.step;
      add_product(panels.data(), hidden + first * H, count, H, 4 * H, &gates[row * 4 * H], order.sequence * 4 * H);
      for (int64_t n = 0; n < count; ++n) {
        const int64_t at = row + n * order.sequence;
        const float *input = &gates[at * 4 * H], *output = input + H, *forget = output + H, *fresh = forget + H;
        float *state = hidden + (first + n) * H, *cell = cells + (first + n) * H, *out = y + at * stride;
#pragma omp simd
        for (int64_t i = 0; i < H; ++i) {
          cell[i] = sigmoid(forget[i]) * cell[i] + sigmoid(input[i]) * tanh(fresh[i]);
          out[i] = state[i] = sigmoid(output[i]) * tanh(cell[i]);
        }
      }
    }
  }
}

/// One direction of a layer. x [T, B, inputs], w [3 H, inputs], r [3 H, H], b [2, 3 H], each for the update and reset gate and the fresh
/// state; hidden [B, H] becomes the last state; y [T, B, H], whose rows are `stride` apart.
inline void gru_layer(const float* x, const float* w, const float* r, const float* b, float* hidden, float* y, int64_t T, int64_t B,
                      int64_t inputs, int64_t H, int64_t stride, bool reverse) {
  std::vector<float> read(T * B * 3 * H);
  for (int64_t row = 0; row < T * B; ++row) std::copy_n(b, 3 * H, &read[row * 3 * H]);
  product(T * B, 3 * H, inputs, row_major(x, inputs), transposed(w, inputs), read.data(), 3 * H, true);
  const std::vector<PanelRow> panels = packed(r, H, H, 3 * H);
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < B; first += kTogether) {
    const int64_t count = std::min<int64_t>(kTogether, B - first);
    std::vector<float> kept(count * 3 * H);
    for (int64_t step = 0; step < T; ++step) {
      const int64_t t = reverse ? T - 1 - step : step;
      for (int64_t n = 0; n < count; ++n) std::copy_n(b + 3 * H, 3 * H, &kept[n * 3 * H]);
      add_product(panels.data(), hidden + first * H, count, H, 3 * H, kept.data(), 3 * H);
      for (int64_t n = first; n < first + count; ++n) {
        const float *of_input = &read[(t * B + n) * 3 * H], *of_state = &kept[(n - first) * 3 * H];
        float *state = hidden + n * H, *out = y + (t * B + n) * stride;
#pragma omp simd
        for (int64_t i = 0; i < H; ++i) {
          const float update = sigmoid(of_input[i] + of_state[i]), reset = sigmoid(of_input[H + i] + of_state[H + i]);
          const float fresh = tanh(of_input[2 * H + i] + reset * of_state[2 * H + i]);
          out[i] = state[i] = (1 - update) * fresh + update * state[i];
        }
      }
    }
  }
}

/// Layer after layer of one or two directions. x [B, T, I], w [directions, 4 H, I] of the first layer, v [(layers - 1) directions, 4 H,
/// directions H] of the others, r [layers directions, 4 H, H], b [layers directions, 2, 4 H], hidden and cells [layers directions, B, H],
/// which become the last ones. Returns [B, T, directions H].
inline std::vector<float> lstm_layers(int64_t layers, int64_t directions, const float* x, const float* w, const float* v, const float* r,
                                      const float* b, float* hidden, float* cells, int64_t B, int64_t T, int64_t I, int64_t H) {
  const int64_t width = directions * H;
  std::vector<float> in(x, x + B * T * I);
  for (int64_t layer = 0, inputs = I; layer < layers; ++layer, inputs = width) {
    std::vector<float> out(B * T * width);
    for (int64_t direction = 0; direction < directions; ++direction) {
      const int64_t at = layer * directions + direction;
      const float* weights = layer == 0 ? w + direction * 4 * H * I : v + (at - directions) * 4 * H * width;
      lstm_layer(in.data(), weights, r + at * 4 * H * H, b + at * 8 * H, hidden + at * B * H, cells + at * B * H,
                 out.data() + direction * H, T, B, inputs, H, {T, 1}, width, direction == 1);
    }
    in = std::move(out);
  }
  return in;
}

/// Layer after layer of one or two directions. x [T, B, I], w [directions, 3 H, I] of the first layer, v [(layers - 1) directions, 3 H,
/// directions H] of the others, r [layers directions, 3 H, H], b [layers directions, 2, 3 H], hidden [layers directions, B, H], which
/// becomes the last states. Returns [T, B, directions H].
inline std::vector<float> gru_layers(int64_t layers, int64_t directions, const float* x, const float* w, const float* v, const float* r,
                                     const float* b, float* hidden, int64_t T, int64_t B, int64_t I, int64_t H) {
  const int64_t width = directions * H;
  std::vector<float> in(x, x + T * B * I);
  for (int64_t layer = 0, inputs = I; layer < layers; ++layer, inputs = width) {
    std::vector<float> out(T * B * width);
    for (int64_t direction = 0; direction < directions; ++direction) {
      const int64_t at = layer * directions + direction;
      const float* weights = layer == 0 ? w + direction * 3 * H * I : v + (at - directions) * 3 * H * width;
      gru_layer(in.data(), weights, r + at * 3 * H * H, b + at * 6 * H, hidden + at * B * H, out.data() + direction * H, T, B, inputs, H,
                width, direction == 1);
    }
    in = std::move(out);
  }
  return in;
}

}  // namespace blocks
