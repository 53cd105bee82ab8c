// SPDX-License-Identifier: Apache-2.0
// Layers that carry a state along the sequence in place of attention's cache: LinearAttention,
// CausalConvWithState.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cmath>

#include "reduction.h"

namespace assay::oracle {
namespace {

/// Extents of one LinearAttention: query [B, T, Hq dk], key [B, T, H dk], value [B, T, H dv], state [B, H,
/// dk, dv].
struct LinearHeads {
  std::int64_t batch, steps, query_heads, heads, key_depth, value_depth;
  std::int64_t decays = 0;  ///< numbers of decay for each head: 0, 1 or key_depth
  std::int64_t betas = 0;   ///< numbers of beta for each step: 0, 1 or heads
};

template <class C>
LinearHeads read_heads(const C& call, bool decays, bool corrects) {
  const Shape &q = call.shape(0), &k = call.shape(1), &v = call.shape(2);
  const std::int64_t query_heads = call.integer("q_num_heads"), heads = call.integer("kv_num_heads");
  const bool fits = q.size() == 3 && k.size() == 3 && v.size() == 3 && query_heads > 0 && heads > 0 && query_heads % heads == 0 &&
                    q[2] % query_heads == 0 && k[2] % heads == 0 && v[2] % heads == 0 && q[2] / query_heads == k[2] / heads &&
                    Shape{k[0], k[1]} == Shape{q[0], q[1]} && Shape{v[0], v[1]} == Shape{q[0], q[1]};
  if (!fits)
    call.fail(fmt::format("query {}, key {} and value {} do not fit {} and {} heads", to_string(q), to_string(k), to_string(v), query_heads,
                          heads));
  LinearHeads shape{q[0], q[1], query_heads, heads, k[2] / heads, v[2] / heads};
  const Shape state{shape.batch, heads, shape.key_depth, shape.value_depth};
  if (call.has_input(3) && call.shape(3) != state)
    call.fail(fmt::format("past_state must be {}, got {}", to_string(state), to_string(call.shape(3))));
  const auto per_step = [&](std::size_t i, const char* name, std::vector<std::int64_t> counts) {
    call.require(call.has_input(i), std::string("this update_rule needs ") + name);
    const Shape& given = call.shape(i);
    for (const std::int64_t count : counts)
      if (given == Shape{shape.batch, shape.steps, count}) return count;
    call.fail(fmt::format("{} must be [{}, {}, {}], got {}", name, shape.batch, shape.steps, fmt::join(counts, " or "), to_string(given)));
  };
  if (decays) shape.decays = per_step(4, "decay", {heads * shape.key_depth, heads}) / heads;
  if (corrects) shape.betas = per_step(5, "beta", {heads, 1});
  return shape;
}

/// One step of one head's state S [dk, dv]: S = exp(decay) S; S += k (beta (v - S' k))', or S += k v' without
/// correction.
template <class T>
void update_state(const LinearHeads& shape, const T* decay, const T* beta, const T* k, const T* v, T* state, std::vector<T>& written) {
  using std::exp;
  const std::int64_t rows = shape.key_depth, columns = shape.value_depth;
  if (decay != nullptr)
    for (std::int64_t i = 0; i < rows; ++i) {
      const T factor = exp(decay[shape.decays == 1 ? 0 : i]);
      for (std::int64_t j = 0; j < columns; ++j) state[i * columns + j] *= factor;
    }
  for (std::int64_t j = 0; j < columns; ++j) {
    T& write = written[static_cast<std::size_t>(j)];
    write = v[j];
    if (beta != nullptr) write = *beta * (v[j] - sum<T>(rows, [&](std::int64_t i) -> T { return state[i * columns + j] * k[i]; }));
  }
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) state[i * columns + j] += k[i] * written[static_cast<std::size_t>(j)];
}

/// output_t = scale q_t' S_t with a state S [dk, dv] for each head, written at each step by update_rule:
/// "linear" S += k v'; "gated" S is first multiplied by exp(decay), for each row or head; "delta" writes beta
/// (v - S' k) in place of v; "gated_delta" (the default) both. query [B, T, Hq dk], key, value, past_state,
/// decay, beta -> output [B, T, Hq dv], present_state. scale is 1 / sqrt(dk). ONNX LinearAttention, opset 27
/// (Yang et al., "Gated Delta Networks", 2024).
const bool linear_attention = define({.name = "LinearAttention", .since = 27}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  call.ignore({"chunk_size"});  // how a kernel may cut the sequence, not what it computes
  const std::string rule = call.text("update_rule", "gated_delta");
  call.require(rule == "linear" || rule == "gated" || rule == "delta" || rule == "gated_delta",
               "update_rule must be linear, gated, delta or gated_delta, got " + rule);
  const LinearHeads s = read_heads(call, rule.starts_with("gated"), rule.ends_with("delta"));
  const std::int64_t dk = s.key_depth, dv = s.value_depth, group = s.query_heads / s.heads;
  const double given = call.real("scale", 0.0);
  const T scale = static_cast<T>(given == 0 ? 1 / std::sqrt(static_cast<double>(dk)) : given);
  Tensor<T>& y = call.template output_like<T>(0, {s.batch, s.steps, s.query_heads * dv});
  Tensor<T> states(Shape{s.batch, s.heads, dk, dv});
  std::fill(states.begin(), states.end(), T(0));
  if (call.has_input(3)) std::copy(call.reals(3).begin(), call.reals(3).end(), states.begin());
  const double each = static_cast<double>(dk * dv);
  call.flops(static_cast<double>(s.batch * s.steps * s.heads) * each *
             (2.0 + (s.decays > 0 ? 1 : 0) + (s.betas > 0 ? 2 : 0) + 2.0 * static_cast<double>(group)));
  std::vector<T> written(static_cast<std::size_t>(dv));
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t t = 0; t < s.steps; ++t)
      for (std::int64_t h = 0; h < s.heads; ++h) {
        const std::int64_t step = b * s.steps + t, head = step * s.heads + h;
        T* state = states.data() + (b * s.heads + h) * dk * dv;
        const T* decay = s.decays > 0 ? call.reals(4).data() + head * s.decays : nullptr;
        const T* beta = s.betas > 0 ? call.reals(5).data() + (s.betas == 1 ? step : head) : nullptr;
        update_state(s, decay, beta, call.reals(1).data() + head * dk, call.reals(2).data() + head * dv, state, written);
        for (std::int64_t g = 0; g < group; ++g) {
          const std::int64_t reader = head * group + g;
          const T* q = call.reals(0).data() + reader * dk;
          for (std::int64_t j = 0; j < dv; ++j)
            y.data()[reader * dv + j] = scale * sum<T>(dk, [&](std::int64_t i) -> T { return q[i] * state[i * dv + j]; });
        }
      }
  if (call.wants(1)) call.put(1, {call.type(0), states});
});

/// Depthwise convolution over past and present: y[b, c, t] = bias[c] + sum over k of weight[c, 0, k] x[b, c,
/// t + k], x = past_state (or zeros), then input; activation "silu" (or "swish") multiplies y by its sigmoid.
/// input [B, C, L], weight [C, 1, K], bias [C], past_state [B, C, K - 1] -> output [B, C, L], present_state:
/// x's last K - 1 elements. ONNX CausalConvWithState, opset 27.
const bool causal_convolution = define({.name = "CausalConvWithState", .since = 27}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  using std::exp;
  const Shape &in = call.shape(0), &w = call.shape(1);
  if (in.size() != 3 || w.size() != 3 || w[0] != in[1] || w[1] != 1 || w[2] < 1)
    call.fail(fmt::format("input must be [B, C, L] and weight [C, 1, K], got {} and {}", to_string(in), to_string(w)));
  const std::int64_t rows = in[0] * in[1], length = in[2], taps = w[2], kept = taps - 1;
  if (call.has_input(2) && call.shape(2) != Shape{in[1]})
    call.fail(fmt::format("bias must be [{}], got {}", in[1], to_string(call.shape(2))));
  if (call.has_input(3) && call.shape(3) != Shape{in[0], in[1], kept})
    call.fail(fmt::format("past_state must be [{}, {}, {}], got {}", in[0], in[1], kept, to_string(call.shape(3))));
  const std::string activation = call.text("activation", "none");
  const bool silu = activation == "silu" || activation == "swish";
  call.require(silu || activation == "none", "activation must be none, silu or swish, got " + activation);
  call.flops(static_cast<double>(rows * length) * (2.0 * static_cast<double>(taps) + (silu ? 4 : 0)));
  Tensor<T>& y = call.template output_like<T>(0, in);
  T* present = call.wants(1) ? call.template output_like<T>(1, {in[0], in[1], kept}).data() : nullptr;
  std::vector<T> x(static_cast<std::size_t>(kept + length));
  for (std::int64_t r = 0; r < rows; ++r) {
    const T* weight = call.reals(1).data() + r % in[1] * taps;
    const T bias = call.has_input(2) ? call.reals(2)[static_cast<std::size_t>(r % in[1])] : T(0);
    if (call.has_input(3)) std::copy_n(call.reals(3).data() + r * kept, kept, x.begin());
    else std::fill_n(x.begin(), kept, T(0));
    std::copy_n(call.reals(0).data() + r * length, length, x.begin() + kept);
    for (std::int64_t t = 0; t < length; ++t) {
      T value = bias + sum<T>(taps, [&](std::int64_t k) -> T { return weight[k] * x[static_cast<std::size_t>(t + k)]; });
      if (silu) value = value / (T(1) + exp(-value));
      y.data()[r * length + t] = value;
    }
    if (present != nullptr) std::copy_n(x.begin() + length, kept, present + r * kept);
  }
});

}  // namespace
}  // namespace assay::oracle
