// SPDX-License-Identifier: Apache-2.0
// Training steps of domain ai.onnx.preview.training, opset 1: Adagrad, Adam, Momentum. Inputs: learning rate
// R and step count T (scalars), then for n tensors x1..xn, their gradients g1..gn, and their states; outputs:
// the new x1..xn, then the new states.
#include <fmt/core.h>

#include "elementwise.h"

namespace assay::oracle {
namespace {

/// update(x, g, states) -> new x, for each element of each of the optimised tensors; S states per tensor,
/// changed in place.
template <std::size_t S, class T, class Update>
void optimize(Call<T>& call, Update update) {
  call.require(call.input_count() > 2 && (call.input_count() - 2) % (2 + S) == 0,
               fmt::format("needs R, T and then {} inputs for each optimised tensor, got {}", 2 + S, call.input_count()));
  const std::size_t n = (call.input_count() - 2) / (2 + S);
  double elements = 0;
  for (std::size_t t = 0; t < n; ++t) {
    const Tensor<T>&x = call.reals(2 + t), &g = call.reals(2 + n + t);
    call.require(g.shape() == x.shape(),
                 fmt::format("gradient {} must have its tensor's shape {}", to_string(g.shape()), to_string(x.shape())));
    Tensor<T>& x_new = call.template output_like<T>(t, x.shape(), 2 + t);
    std::array<const T*, S> states{};
    std::array<T*, S> states_new{};
    for (std::size_t s = 0; s < S; ++s) {
      const Tensor<T>& state = call.reals(2 + (2 + s) * n + t);
      call.require(state.shape() == x.shape(),
                   fmt::format("state {} must have its tensor's shape {}", to_string(state.shape()), to_string(x.shape())));
      states[s] = state.data();
      states_new[s] = call.template output_like<T>((1 + s) * n + t, x.shape(), 2 + t).data();
    }
    const auto count = static_cast<std::int64_t>(x.size());
    // Through local blocks, which alias nothing: the update is vectorised.
    constexpr std::int64_t block = 64;
    T x_block[block], g_block[block], state_block[S][block];
    for (std::int64_t first = 0; first < count; first += block) {
      const std::int64_t n_here = std::min(block, count - first);
      std::copy_n(x.data() + first, n_here, x_block);
      std::copy_n(g.data() + first, n_here, g_block);
      for (std::size_t s = 0; s < S; ++s) std::copy_n(states[s] + first, n_here, state_block[s]);
      for (std::int64_t i = 0; i < n_here; ++i) {
        std::array<T, S> values;
        for (std::size_t s = 0; s < S; ++s) values[s] = state_block[s][i];
        x_block[i] = update(x_block[i], g_block[i], values);
        for (std::size_t s = 0; s < S; ++s) state_block[s][i] = values[s];
      }
      std::copy_n(x_block, n_here, x_new.data() + first);
      for (std::size_t s = 0; s < S; ++s) std::copy_n(state_block[s], n_here, states_new[s] + first);
    }
    elements += static_cast<double>(count);
  }
  call.flops(10 * elements);
}

template <class T>
T learning_rate(const Call<T>& call) {
  call.require(call.reals(0).size() == 1 && call.integers(1).size() == 1, "R and T must be scalars");
  return call.reals(0)[0];
}

/// g += norm x; h += g^2; x -= r / (1 + T decay) g / (sqrt(h) + epsilon).
template <class T>
void adagrad(Call<T>& call) {
  const double decay = call.real("decay_factor", 0);
  const T norm = static_cast<T>(call.real("norm_coefficient", 0)), epsilon = static_cast<T>(call.real("epsilon", 1e-6));
  const T rate = learning_rate(call) / static_cast<T>(1 + static_cast<double>(call.integers(1)[0]) * decay);
  optimize<1>(call, [=](T x, T g, std::array<T, 1>& h) {
    using std::sqrt;
    const T regularized = norm * x + g;
    h[0] = h[0] + regularized * regularized;
    return x - rate * regularized / (sqrt(h[0]) + epsilon);
  });
}

/// v = alpha v + (1 - alpha) g; h = beta h + (1 - beta) g^2; x -= r' v / (sqrt(h) + epsilon), with r'
/// corrected for the bias of v and h where T > 0; then x *= 1 - norm_coefficient_post.
template <class T>
void adam(Call<T>& call) {
  const double alpha = call.real("alpha", 0.9), beta = call.real("beta", 0.999);
  const double steps = static_cast<double>(call.integers(1)[0]);
  const T norm = static_cast<T>(call.real("norm_coefficient", 0)), epsilon = static_cast<T>(call.real("epsilon", 1e-6));
  const T shrink = static_cast<T>(1 - call.real("norm_coefficient_post", 0));
  const double correction = steps > 0 ? std::sqrt(1 - std::pow(beta, steps)) / (1 - std::pow(alpha, steps)) : 1;
  const T rate = learning_rate(call) * static_cast<T>(correction);
  optimize<2>(call, [=](T x, T g, std::array<T, 2>& state) {
    using std::sqrt;
    const T regularized = norm * x + g;
    state[0] = static_cast<T>(alpha) * state[0] + static_cast<T>(1 - alpha) * regularized;
    state[1] = static_cast<T>(beta) * state[1] + static_cast<T>(1 - beta) * regularized * regularized;
    return shrink * (x - rate * state[0] / (sqrt(state[1]) + epsilon));
  });
}

/// v = alpha v + beta' g with beta' = 1 at the first step (T = 0), else beta; mode "standard": x -= r v,
/// "nesterov": x -= r (g + alpha v).
template <class T>
void momentum(Call<T>& call) {
  const T alpha = static_cast<T>(call.real("alpha")), norm = static_cast<T>(call.real("norm_coefficient"));
  const double later = call.real("beta");
  const T beta = call.integers(1)[0] > 0 ? static_cast<T>(later) : T(1);
  const std::string mode = call.text("mode");
  call.require(mode == "standard" || mode == "nesterov", "attribute mode must be standard or nesterov, got " + mode);
  const bool nesterov = mode == "nesterov";
  const T rate = learning_rate(call);
  optimize<1>(call, [=](T x, T g, std::array<T, 1>& v) {
    const T regularized = norm * x + g;
    v[0] = alpha * v[0] + beta * regularized;
    return x - rate * (nesterov ? regularized + alpha * v[0] : v[0]);
  });
}

const std::string training = "ai.onnx.preview.training";
const bool defined[] = {
    define({"Adagrad", Specials::finite, 1, training}, [](auto& call) { adagrad(call); }),
    define({"Adam", Specials::finite, 1, training}, [](auto& call) { adam(call); }),
    define({"Momentum", Specials::finite, 1, training}, [](auto& call) { momentum(call); }),
};

}  // namespace
}  // namespace assay::oracle
