// SPDX-License-Identifier: Apache-2.0
// Recurrent layers: RNN, GRU, LSTM. Extents: steps T, batch B, inputs I, hidden H, directions D.
// Layer reads what the three share; run_layer computes X W' for all steps in one product, then steps through
// time with one product H R' each; each operator supplies its cell. Inputs are finite: gates saturate
// infinities differently from implementation to implementation.
#include <fmt/core.h>

#include <Eigen/Core>
#include <cmath>

#include "elementwise.h"
#include "product.h"
#include "shape_list.h"

namespace assay::oracle {
namespace {

struct Activation {
  std::string name;
  double alpha, beta;
};

template <class T>
T activate(const Activation& f, T x) {
  using std::abs, std::tanh;
  const T alpha = static_cast<T>(f.alpha), beta = static_cast<T>(f.beta), zero = T(0), one = T(1);
  if (f.name == "Tanh") return tanh(x);
  if (f.name == "Sigmoid") return logistic(x);
  if (f.name == "Relu") return x > zero ? x : zero;
  if (f.name == "LeakyRelu") return x < zero ? alpha * x : x;
  if (f.name == "ThresholdedRelu") return x > alpha ? x : zero;
  if (f.name == "Elu") return x < zero ? exponential_below(f.alpha, 1, x) : x;
  if (f.name == "Affine") return alpha * x + beta;
  if (f.name == "ScaledTanh") return alpha * tanh(beta * x);
  if (f.name == "Softsign") return x / (one + abs(x));
  if (f.name == "Softplus") return log_one_plus_exp(x);
  const T line = alpha * x + beta;  // HardSigmoid
  return line < zero ? zero : line > one ? one : line;
}

template <class T>
void activate(const Activation& f, T* x, std::int64_t count) {
  if constexpr (std::is_same_v<T, float>) {
    Eigen::Map<Eigen::ArrayXf> values(x, count);
    if (f.name == "Tanh") return void(values = values.tanh());
    if (f.name == "Sigmoid") return void(values = (1.0F + (-values).exp()).inverse());
  }
  for (std::int64_t i = 0; i < count; ++i) x[i] = activate(f, x[i]);
}

template <class C>
std::vector<Activation> read_activations(const C& call, std::size_t directions, const std::vector<std::string>& defaults) {
  std::vector<std::string> names;
  const auto* given = call.template attribute_if<std::vector<std::string>>("activations");
  for (std::size_t d = 0; d < directions && given == nullptr; ++d) names.insert(names.end(), defaults.begin(), defaults.end());
  if (given != nullptr) names = *given;
  if (names.size() != directions * defaults.size())
    call.fail(fmt::format("activations needs {} names, got {}", directions * defaults.size(), names.size()));
  // Alphas and betas stand in the order of those activations that have one.
  const std::map<std::string, std::pair<std::optional<double>, std::optional<double>>> known{{"Tanh", {}},
                                                                                             {"Sigmoid", {}},
                                                                                             {"Relu", {}},
                                                                                             {"Softsign", {}},
                                                                                             {"Softplus", {}},
                                                                                             {"LeakyRelu", {0.01, {}}},
                                                                                             {"ThresholdedRelu", {1.0, {}}},
                                                                                             {"Elu", {1.0, {}}},
                                                                                             {"Affine", {1.0, 0.0}},
                                                                                             {"ScaledTanh", {1.0, 1.0}},
                                                                                             {"HardSigmoid", {0.2, 0.5}}};
  const auto alphas = call.real_list("activation_alpha"), betas = call.real_list("activation_beta");
  std::size_t alpha = 0, beta = 0;
  std::vector<Activation> activations;
  for (const std::string& name : names) {
    const auto found = known.find(name);
    if (found == known.end()) call.fail("activation '" + name + "' is not known");
    const auto [a, b] = found->second;
    Activation f{name, a.value_or(0), b.value_or(0)};
    if (a && alpha < alphas.size()) f.alpha = alphas[alpha++];
    if (b && beta < betas.size()) f.beta = betas[beta++];
    activations.push_back(f);
  }
  return activations;
}

template <class T>
struct Layer {
  std::int64_t steps, batch, inputs, hidden, directions, gates;
  bool batch_first, reverse_only;
  double clip;
  std::vector<std::int64_t> lengths;
  std::vector<Activation> activations;
  std::size_t per_direction;

  std::int64_t x_row(std::int64_t t, std::int64_t b) const { return batch_first ? b * steps + t : t * batch + b; }
  std::int64_t y_row(std::int64_t t, std::int64_t d, std::int64_t b) const {
    return batch_first ? (b * steps + t) * directions + d : (t * directions + d) * batch + b;
  }
  std::int64_t state_row(std::int64_t d, std::int64_t b) const { return batch_first ? b * directions + d : d * batch + b; }
  bool reversed(std::int64_t d) const { return d == 1 || reverse_only; }
  const Activation& activation(std::int64_t d, std::size_t i) const { return activations[static_cast<std::size_t>(d) * per_direction + i]; }
  void clipped(T* x, std::int64_t count) const {
    if (clip <= 0) return;
    for (std::int64_t i = 0; i < count; ++i) {
      if (x[i] > T(clip)) x[i] = T(clip);
      if (x[i] < T(-clip)) x[i] = T(-clip);
    }
  }
};

template <class T>
Layer<T> read_layer(const Call<T>& call, std::int64_t gates, const std::vector<std::string>& defaults) {
  const Shape &x = call.shape(0), &w = call.shape(1), &r = call.shape(2);
  if (x.size() != 3 || w.size() != 3 || r.size() != 3) call.fail("X, W and R must have rank 3");
  const std::string direction = call.text("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    call.fail("direction '" + direction + "' is not known");
  Layer<T> layer{};
  layer.batch_first = call.integer("layout", 0) != 0;
  layer.steps = x[layer.batch_first ? 1 : 0], layer.batch = x[layer.batch_first ? 0 : 1], layer.inputs = x[2];
  layer.hidden = call.integer("hidden_size", r[2]);
  layer.directions = direction == "bidirectional" ? 2 : 1;
  layer.reverse_only = direction == "reverse";
  layer.gates = gates;
  layer.clip = call.real("clip", 0.0);
  const std::int64_t rows = gates * layer.hidden;
  if (w != Shape{layer.directions, rows, layer.inputs} || r != Shape{layer.directions, rows, layer.hidden})
    call.fail(fmt::format("W and R must be [{0}, {1}, {2}] and [{0}, {1}, {3}], got {4} and {5}", layer.directions, rows, layer.inputs,
                          layer.hidden, to_string(w), to_string(r)));
  if (call.has_input(3) && call.shape(3) != Shape{layer.directions, 2 * rows})
    call.fail(fmt::format("B must be [{}, {}], got {}", layer.directions, 2 * rows, to_string(call.shape(3))));
  layer.lengths.assign(static_cast<std::size_t>(layer.batch), layer.steps);
  if (call.has_input(4)) layer.lengths = call.integer_list(4);
  if (static_cast<std::int64_t>(layer.lengths.size()) != layer.batch) call.fail("sequence_lens needs one length for each batch entry");
  for (const std::int64_t length : layer.lengths)
    if (length < 0 || length > layer.steps) call.fail("a sequence is longer than X");
  layer.activations = read_activations(call, static_cast<std::size_t>(layer.directions), defaults);
  layer.per_direction = defaults.size();
  return layer;
}

/// State [B, H] of one direction from optional input i, or 0.
template <class T>
Tensor<T> initial_state(const Call<T>& call, const Layer<T>& layer, std::size_t i, std::int64_t d) {
  Tensor<T> state(Shape{layer.batch, layer.hidden});
  std::fill(state.begin(), state.end(), T(0));
  if (!call.has_input(i)) return state;
  const Tensor<T>& given = call.reals(i);
  if (given.size() != static_cast<std::size_t>(layer.directions) * state.size())
    call.fail(fmt::format("input {} {} is not a state of {} x {} x {}", i, to_string(given.shape()), layer.directions, layer.batch,
                          layer.hidden));
  for (std::int64_t b = 0; b < layer.batch; ++b)
    std::copy_n(given.data() + layer.state_row(d, b) * layer.hidden, layer.hidden, state.data() + b * layer.hidden);
  return state;
}

/// One direction's pieces, for the cells: R [gates H, H] and its bias (or nullptr), state, and the rows to
/// work on.
template <class T>
struct Cell {
  std::int64_t direction;
  const T* recurrent;
  const T* recurrent_bias;
  Tensor<T> h, c;
};

template <class T>
void save_state(const Layer<T>& layer, std::int64_t d, const Tensor<T>& state, T* out) {
  for (std::int64_t b = 0; b < layer.batch; ++b)
    std::copy_n(state.data() + b * layer.hidden, layer.hidden, out + layer.state_row(d, b) * layer.hidden);
}

/// X W' + biases for every step at once: [T B, gates H]; R's bias is left to the cell where
/// `keep_recurrent_bias`.
template <class T>
Tensor<T> input_products(const Call<T>& call, const Layer<T>& layer, std::int64_t d, bool keep_recurrent_bias) {
  const std::int64_t rows = layer.gates * layer.hidden, all = layer.steps * layer.batch;
  Tensor<T> products(Shape{all, rows});
  const bool biased = call.has_input(3);
  if (biased) {
    const T* w_bias = call.reals(3).data() + d * 2 * rows;
    for (std::int64_t i = 0; i < rows; ++i) products.data()[i] = keep_recurrent_bias ? w_bias[i] : w_bias[i] + w_bias[rows + i];
    for (std::int64_t n = 1; n < all; ++n) std::copy_n(products.data(), rows, products.data() + n * rows);
  }
  multiply(row_major(call.reals(0).data(), all, layer.inputs),
           row_major(call.reals(1).data() + d * rows * layer.inputs, rows, layer.inputs).transposed(), products.data(), biased);
  return products;
}

/// step(cell, gates [B, gates H] holding X W' + bias, new h [B, H], new c [B, H]); c only where `with_c`.
template <class T, class Step>
void run_layer(Call<T>& call, const Layer<T>& layer, bool with_c, bool keep_recurrent_bias, Step&& step) {
  const std::int64_t rows = layer.gates * layer.hidden, H = layer.hidden;
  call.flops(2.0 * static_cast<double>(layer.steps * layer.batch * layer.directions) * static_cast<double>(rows) *
             static_cast<double>(layer.inputs + H));
  const Shape all =
      layer.batch_first ? Shape{layer.batch, layer.steps, layer.directions, H} : Shape{layer.steps, layer.directions, layer.batch, H};
  const Shape last = layer.batch_first ? Shape{layer.batch, layer.directions, H} : Shape{layer.directions, layer.batch, H};
  T* y = call.wants(0) ? call.template output_like<T>(0, all).data() : nullptr;
  T* y_h = call.wants(1) ? call.template output_like<T>(1, last).data() : nullptr;
  T* y_c = with_c && call.wants(2) ? call.template output_like<T>(2, last).data() : nullptr;
  Tensor<T> gates(Shape{layer.batch, rows}), h(Shape{layer.batch, H}), c(Shape{with_c ? layer.batch : 0, H});
  for (std::int64_t d = 0; d < layer.directions; ++d) {
    const Tensor<T> products = input_products(call, layer, d, keep_recurrent_bias);
    const T* bias = call.has_input(3) ? call.reals(3).data() + (d * 2 + 1) * rows : nullptr;
    Cell<T> cell{d, call.reals(2).data() + d * rows * H, bias, initial_state(call, layer, 5, d),
                 with_c ? initial_state(call, layer, 6, d) : Tensor<T>()};
    for (std::int64_t s = 0; s < layer.steps; ++s) {
      const auto time = [&](std::int64_t b) {
        const std::int64_t length = layer.lengths[static_cast<std::size_t>(b)];
        return layer.reversed(d) && s < length ? length - 1 - s : s;
      };
      for (std::int64_t b = 0; b < layer.batch; ++b)
        std::copy_n(products.data() + layer.x_row(time(b), b) * rows, rows, gates.data() + b * rows);
      step(cell, gates, h, c);
      for (std::int64_t b = 0; b < layer.batch; ++b) {
        const bool runs = s < layer.lengths[static_cast<std::size_t>(b)];
        T* to = y == nullptr ? nullptr : y + layer.y_row(time(b), d, b) * H;
        if (to != nullptr && runs) std::copy_n(h.data() + b * H, H, to);
        if (to != nullptr && !runs) std::fill_n(to, H, T(0));
        if (runs) std::copy_n(h.data() + b * H, H, cell.h.data() + b * H);
        if (runs && with_c) std::copy_n(c.data() + b * H, H, cell.c.data() + b * H);
      }
    }
    if (y_h != nullptr) save_state(layer, d, cell.h, y_h);
    if (y_c != nullptr) save_state(layer, d, cell.c, y_c);
  }
}

/// gates[:, first .. first + count) += h R', for `count` gates of R.
template <class T>
void add_recurrent(const Layer<T>& layer, const Cell<T>& cell, const T* h, std::int64_t first, std::int64_t count, Tensor<T>& gates) {
  const std::int64_t H = layer.hidden;
  multiply(row_major(h, layer.batch, H), row_major(cell.recurrent + first * H * H, count * H, H).transposed(), gates.data() + first * H,
           true, layer.gates * H);
}

/// H_t = f(X_t W' + H_(t-1) R' + Wb + Rb). X [T, B, I], W [D, H, I], R [D, H, H], B [D, 2 H], sequence_lens
/// [B], initial_h [D, B, H] -> Y [T, D, B, H], Y_h [D, B, H]; layout = 1 puts B first. ONNX RNN, opset 7.
const bool rnn = define({.name = "RNN", .since = 7}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Layer<T> layer = read_layer(call, 1, {"Tanh"});
  run_layer(call, layer, false, false, [&](const Cell<T>& cell, Tensor<T>& gates, Tensor<T>& h, Tensor<T>&) {
    add_recurrent(layer, cell, cell.h.data(), 0, 1, gates);
    const auto count = static_cast<std::int64_t>(gates.size());
    layer.clipped(gates.data(), count);
    activate(layer.activation(cell.direction, 0), gates.data(), count);
    std::copy(gates.begin(), gates.end(), h.begin());
  });
});

/// z, r = f(X W' + H R' + b), h~ = g(X Wh' + (r H) Rh' + bh), or r (H Rh' + Rbh) where linear_before_reset;
/// H_t = (1 - z) h~ + z H. As RNN with gates z, r, h: W [D, 3 H, I]. ONNX GRU, opset 7.
const bool gru = define({.name = "GRU", .since = 7}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Layer<T> layer = read_layer(call, 3, {"Sigmoid", "Tanh"});
  const bool linear_first = call.integer("linear_before_reset", 0) != 0;
  const std::int64_t H = layer.hidden;
  Tensor<T> candidate(Shape{layer.batch, H});
  run_layer(call, layer, false, true, [&](const Cell<T>& cell, Tensor<T>& gates, Tensor<T>& h, Tensor<T>&) {
    add_recurrent(layer, cell, cell.h.data(), 0, 2, gates);
    for (std::int64_t b = 0; b < layer.batch; ++b) {
      T* gate = gates.data() + b * 3 * H;
      for (std::int64_t i = 0; i < 2 * H && cell.recurrent_bias != nullptr; ++i) gate[i] += cell.recurrent_bias[i];
      layer.clipped(gate, 2 * H);
      activate(layer.activation(cell.direction, 0), gate, 2 * H);
      for (std::int64_t i = 0; i < H; ++i) candidate.data()[b * H + i] = linear_first ? T(0) : gate[H + i] * cell.h.data()[b * H + i];
    }
    const auto bias = [&](std::int64_t i) { return cell.recurrent_bias == nullptr ? T(0) : cell.recurrent_bias[2 * H + i]; };
    if (linear_first) {
      multiply(row_major(cell.h.data(), layer.batch, H), row_major(cell.recurrent + 2 * H * H, H, H).transposed(), candidate.data());
      for (std::int64_t n = 0; n < layer.batch * H; ++n) {
        T* gate = gates.data() + n / H * 3 * H + n % H;
        gate[2 * H] += gate[H] * (candidate.data()[n] + bias(n % H));
      }
    } else {
      add_recurrent(layer, cell, candidate.data(), 2, 1, gates);
      for (std::int64_t n = 0; n < layer.batch * H; ++n) gates.data()[n / H * 3 * H + 2 * H + n % H] += bias(n % H);
    }
    for (std::int64_t b = 0; b < layer.batch; ++b) {
      T* gate = gates.data() + b * 3 * H;
      layer.clipped(gate + 2 * H, H);
      activate(layer.activation(cell.direction, 1), gate + 2 * H, H);
      for (std::int64_t i = 0; i < H; ++i) h.data()[b * H + i] = (T(1) - gate[i]) * gate[2 * H + i] + gate[i] * cell.h.data()[b * H + i];
    }
  });
});

/// i, o, f = s(X W' + H R' + P C + b), c~ = g(X Wc' + H Rc' + bc); C_t = f C + i c~; H_t = o h(C_t).
/// As RNN with gates i, o, f, c: W [D, 4 H, I]; initial_c [D, B, H], P [D, 3 H], Y_c. ONNX LSTM, opset 7.
const bool lstm = define({.name = "LSTM", .since = 7}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Layer<T> layer = read_layer(call, 4, {"Sigmoid", "Tanh", "Tanh"});
  const bool couple = call.integer("input_forget", 0) != 0;
  const std::int64_t H = layer.hidden;
  call.require(!call.has_input(7) || call.shape(7) == Shape{layer.directions, 3 * H}, "P must be [D, 3 H]");
  run_layer(call, layer, true, false, [&](const Cell<T>& cell, Tensor<T>& gates, Tensor<T>& h, Tensor<T>& c) {
    add_recurrent(layer, cell, cell.h.data(), 0, 4, gates);
    const T* peephole = call.has_input(7) ? call.reals(7).data() + cell.direction * 3 * H : nullptr;
    const Activation &s = layer.activation(cell.direction, 0), &g = layer.activation(cell.direction, 1);
    for (std::int64_t b = 0; b < layer.batch; ++b) {
      T *i = gates.data() + b * 4 * H, *o = i + H, *f = o + H, *fresh = f + H;
      const T* before = cell.c.data() + b * H;
      T *after = c.data() + b * H, *out = h.data() + b * H;
      for (std::int64_t n = 0; n < H && peephole != nullptr; ++n) {
        i[n] += peephole[n] * before[n];
        f[n] += peephole[2 * H + n] * before[n];
      }
      layer.clipped(i, H), layer.clipped(f, 2 * H);
      activate(s, i, H), activate(s, f, H), activate(g, fresh, H);
      for (std::int64_t n = 0; n < H; ++n) after[n] = (couple ? T(1) - i[n] : f[n]) * before[n] + i[n] * fresh[n];
      for (std::int64_t n = 0; n < H && peephole != nullptr; ++n) o[n] += peephole[H + n] * after[n];
      layer.clipped(o, H);
      activate(s, o, H);
      std::copy_n(after, H, out);
      activate(layer.activation(cell.direction, 2), out, H);
      for (std::int64_t n = 0; n < H; ++n) out[n] = o[n] * out[n];
    }
  });
});

}  // namespace
}  // namespace assay::oracle
