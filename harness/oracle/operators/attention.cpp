// SPDX-License-Identifier: Apache-2.0
// Scaled dot-product attention and what goes with it: Attention, FlexAttention, RotaryEmbedding.
// Softmax(Q K' / sqrt(d)) V, head by head (Vaswani et al., "Attention Is All You Need", 2017); a head of K
// and V serves neighbouring heads of Q where Q has more of them (Ainslie et al., "GQA", 2023). Read first
// HeadsView (where a head's rows lie), then attend (scores to output), then the operators.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "elementwise.h"
#include "product.h"
#include "softmax.h"

namespace assay::oracle {
namespace {

/// A tensor seen as heads: [B, H, L, D], or [B, L, H D] whose heads lie side by side.
struct HeadsView {
  std::int64_t batch, heads, rows, depth;
  bool packed;  ///< [B, L, H D]

  std::int64_t row_stride() const { return packed ? heads * depth : depth; }
  std::int64_t offset(std::int64_t b, std::int64_t h) const {
    return packed ? (b * rows * heads + h) * depth : (b * heads + h) * rows * depth;
  }
};

template <class C>
HeadsView heads_of(const C& call, std::size_t input, const std::string& count_attribute) {
  const Shape& shape = call.shape(input);
  const std::int64_t count = call.integer(count_attribute, 0);
  if (shape.size() == 4) return {shape[0], shape[1], shape[2], shape[3], false};
  if (shape.size() != 3 || count < 1 || shape[2] % count != 0)
    call.fail(fmt::format("input {} must be [B, H, L, D], or [B, L, H * D] with H = {} by attribute {}; got {}", input, count,
                          count_attribute, to_string(shape)));
  return {shape[0], count, shape[1], shape[2] / count, true};
}

/// Input i after the rows of input `past` [B, H, P, D], if there is one: [B, H, P + L, D].
template <class T>
Tensor<T> with_past(const Call<T>& call, std::size_t i, const HeadsView& view, std::size_t past) {
  const std::int64_t before = call.has_input(past) ? call.shape(past).at(2) : 0, rows = before + view.rows;
  if (call.has_input(past) && call.shape(past) != Shape{view.batch, view.heads, before, view.depth})
    call.fail(
        fmt::format("input {} must be [{}, {}, past, {}], got {}", past, view.batch, view.heads, view.depth, to_string(call.shape(past))));
  if (before == 0 && !view.packed) return call.reals(i);
  Tensor<T> all(Shape{view.batch, view.heads, rows, view.depth});
  for (std::int64_t b = 0; b < view.batch; ++b)
    for (std::int64_t h = 0; h < view.heads; ++h) {
      T* to = all.data() + (b * view.heads + h) * rows * view.depth;
      if (before > 0) to = std::copy_n(call.reals(past).data() + (b * view.heads + h) * before * view.depth, before * view.depth, to);
      const T* from = call.reals(i).data() + view.offset(b, h);
      for (std::int64_t r = 0; r < view.rows; ++r) to = std::copy_n(from + r * view.row_stride(), view.depth, to);
    }
  return all;
}

/// Which head of Q, and which of K and V serves it.
struct Head {
  std::int64_t b, h, kv;
};

/// What Attention and FlexAttention share: Q by heads, all of K and V [B, kv heads, S, depth].
template <class T>
struct Heads {
  HeadsView q;
  const T* queries;
  Tensor<T> keys, values;
  std::int64_t kv_heads, columns, value_depth;

  Shape score_shape() const { return {q.batch, q.heads, q.rows, columns}; }
  double flops() const {
    return static_cast<double>(element_count(score_shape())) * (2.0 * static_cast<double>(q.depth + value_depth) + 5);
  }
  /// body(head, offset of its scores in score_shape()).
  template <class Body>
  void each_head(Body&& body) const {
    for (std::int64_t b = 0; b < q.batch; ++b)
      for (std::int64_t h = 0; h < q.heads; ++h)
        body(Head{b, h, b * kv_heads + h / (q.heads / kv_heads)}, (b * q.heads + h) * q.rows * columns);
  }
};

template <class T>
Heads<T> gather_heads(const Call<T>& call, const HeadsView& q, const HeadsView& k, const HeadsView& v, Tensor<T> keys, Tensor<T> values) {
  const std::int64_t columns = keys.shape()[2];
  if (k.batch != q.batch || v.batch != q.batch || k.depth != q.depth || v.heads != k.heads || values.shape()[2] != columns || k.heads < 1 ||
      q.heads % k.heads != 0)
    call.fail(
        fmt::format("Q {}, K {} and V {} do not fit: one batch, Q and K of one depth, K and V of one length and "
                    "number of heads, which divides Q's",
                    to_string(call.shape(0)), to_string(call.shape(1)), to_string(call.shape(2))));
  return {q, call.reals(0).data(), std::move(keys), std::move(values), k.heads, columns, v.depth};
}

/// scale Q K' of one head: [L, S].
template <class T>
void write_scores(const Heads<T>& heads, const Head& head, double scale, T* to) {
  const HeadsView& q = heads.q;
  const MatrixView<T> rows{heads.queries + q.offset(head.b, head.h), q.rows, q.depth, q.row_stride(), 1};
  multiply(rows, row_major(heads.keys.data() + head.kv * heads.columns * q.depth, heads.columns, q.depth).transposed(), to);
  for (std::int64_t i = 0; i < q.rows * heads.columns; ++i) to[i] = to[i] * static_cast<T>(scale);
}

bool is_subnormal(float x) { return (std::bit_cast<std::uint32_t>(x) & 0x7fffffff) - 1 < 0x7fffff; }

/// Subnormal elements of `all` times 2^64, and 0 in their stead there; empty where there are none.
std::vector<float> take_subnormal(std::span<float> all) {
  bool any = false;
  for (const float x : all) any |= is_subnormal(x);
  if (!any) return {};
  std::vector<float> taken(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    taken[i] = is_subnormal(all[i]) ? all[i] * 0x1p64F : 0;
    all[i] = is_subnormal(all[i]) ? 0 : all[i];
  }
  return taken;
}

/// y of one head: probabilities [L, S] times V, laid out as Q is. Changes the probabilities.
template <class T>
void apply_probabilities(const Heads<T>& heads, const Head& head, T* probabilities, Tensor<T>& y) {
  const std::int64_t rows = heads.q.rows, columns = heads.columns, depth = heads.value_depth;
  const HeadsView out{heads.q.batch, heads.q.heads, rows, depth, heads.q.packed};
  const T* values = heads.values.data() + head.kv * columns * depth;
  T* to = y.data() + out.offset(head.b, head.h);
  // Where scores are far apart, many probabilities are subnormal, and some processors are slow at products with such numbers. So these have
  // a product of their own, scaled. Not where a value is infinite: times the 0 in their stead it is NaN.
  std::vector<float> subnormal;
  if constexpr (std::is_same_v<T, float>)
    if (std::all_of(values, values + columns * depth, [](float v) { return std::isfinite(v); }))
      subnormal = take_subnormal(std::span(probabilities, static_cast<std::size_t>(rows * columns)));
  multiply(row_major<T>(probabilities, rows, columns), row_major(values, columns, depth), to, false, out.row_stride());
  if constexpr (std::is_same_v<T, float>) {
    if (subnormal.empty()) return;
    std::vector<float> small(static_cast<std::size_t>(rows * depth));
    multiply(row_major(subnormal.data(), rows, columns), row_major(values, columns, depth), small.data());
    for (std::int64_t i = 0; i < rows * depth; ++i) {
      float& sum = to[i / depth * out.row_stride() + i % depth];
      sum = static_cast<float>(sum + 0x1p-64 * small[static_cast<std::size_t>(i)]);
    }
  }
}

template <class T>
Shape output_shape(const Heads<T>& heads) {
  const HeadsView& q = heads.q;
  if (q.packed) return {q.batch, q.rows, q.heads * heads.value_depth};
  return {q.batch, q.heads, q.rows, heads.value_depth};
}

/// What is added to the scores before softmax: the mask (input 3), the causal and the padding mask.
template <class T>
class Masks {
 public:
  Masks(const Call<T>& call, const Heads<T>& heads, std::int64_t past)
      : heads_(heads), past_(past), causal_(call.integer("is_causal", 0) != 0), padded_(call.has_input(6)) {
    if (call.has_input(3)) take_mask(call);
    if (padded_) lengths_ = call.integer_list(6);
    call.require(!padded_ || static_cast<std::int64_t>(lengths_.size()) == heads.q.batch,
                 "nonpad_kv_seqlen needs one length for each batch entry");
  }

  bool any() const { return causal_ || padded_ || !mask_.empty(); }

  /// To row `row` of a head's scores. Returns whether they hide it whole.
  bool add(const Head& head, std::int64_t row, T* scores) const {
    const std::int64_t length = padded_ ? lengths_[static_cast<std::size_t>(head.b)] : heads_.columns;
    const std::int64_t last = row + (padded_ ? length - heads_.q.rows : past_);  // the column of the row's own element
    if (mask_.empty()) {
      const std::int64_t seen = std::clamp(causal_ ? std::min(length, last + 1) : length, std::int64_t{0}, heads_.columns);
      std::fill(scores + seen, scores + heads_.columns, kNone);
      return seen == 0;
    }
    bool all = true;
    for (std::int64_t c = 0; c < heads_.columns; ++c) {
      const T bias = c >= length || (causal_ && c > last) ? kNone : given(head, row, c);
      // Nothing that a hidden element holds, NaN included, may show.
      const bool hides = value_of(bias) == value_of(kNone);
      scores[c] = hides ? bias : scores[c] + bias;
      all = all && hides;
    }
    return all;
  }

 private:
  inline static const T kNone = static_cast<T>(-std::numeric_limits<double>::infinity());

  void take_mask(const Call<T>& call) {
    // A mask over fewer columns hides those that it lacks.
    Shape over = heads_.score_shape();
    const Shape& shape = call.shape(3);
    if (!shape.empty() && shape.back() < heads_.columns && shape.back() != 1) over.back() = shape.back();
    if (shape.size() > 4 || broadcast_shapes({shape, over}) != over)
      call.fail(fmt::format("attn_mask {} does not broadcast to {}", to_string(shape), to_string(heads_.score_shape())));
    width_ = over.back();
    std::int64_t stride = 1;
    for (std::size_t from_last = 0; from_last < shape.size(); ++from_last) {
      const std::int64_t extent = shape[shape.size() - 1 - from_last];
      strides_[3 - from_last] = extent == 1 ? 0 : stride;
      stride *= extent;
    }
    if (info(call.type(3)).element_class != ElementClass::boolean) {
      mask_.assign(call.reals(3).begin(), call.reals(3).end());
      return;
    }
    for (const std::uint8_t seen : call.booleans(3)) mask_.push_back(seen != 0 ? T(0) : kNone);
  }

  T given(const Head& head, std::int64_t row, std::int64_t column) const {
    if (column >= width_) return kNone;
    return mask_[static_cast<std::size_t>(head.b * strides_[0] + head.h * strides_[1] + row * strides_[2] + column * strides_[3])];
  }

  const Heads<T>& heads_;
  std::int64_t past_;
  bool causal_, padded_;
  std::vector<std::int64_t> lengths_;
  std::vector<T> mask_;
  std::int64_t width_ = 0;
  std::array<std::int64_t, 4> strides_{};  ///< 0 where the mask is broadcast
};

/// Y = softmax(softcap(scale Q K') + masks) V. Q [B, H, L, D] or [B, L, H D] (q_num_heads, kv_num_heads), K
/// and V alike; attn_mask broadcasts to [B, H, L, S], past_key and past_value come before K and V,
/// nonpad_kv_seqlen [B] hides columns from there on. scale is 1 / sqrt(D); softcap c > 0 is c tanh(s / c). A
/// row that is hidden whole gives 0. Outputs Y, present_key, present_value, and the scores:
/// qk_matmul_output_mode 0 as they are, 1 capped, 2 masked, 3 the probabilities. ONNX Attention, opset 23
/// (nonpad_kv_seqlen since 24).
const bool attention = define({.name = "Attention", .since = 23}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  using std::tanh;
  call.ignore({"softmax_precision"});  // the precision of a step, not its meaning
  const HeadsView q = heads_of(call, 0, "q_num_heads"), k = heads_of(call, 1, "kv_num_heads"), v = heads_of(call, 2, "kv_num_heads");
  const Heads<T> heads = gather_heads<T>(call, q, k, v, with_past(call, 1, k, 4), with_past(call, 2, v, 5));
  call.flops(heads.flops());
  const std::int64_t mode = call.integer("qk_matmul_output_mode", 0);
  call.require(mode >= 0 && mode <= 3, fmt::format("qk_matmul_output_mode must be 0 to 3, got {}", mode));
  const double scale = call.real("scale", 1 / std::sqrt(static_cast<double>(q.depth))), cap = call.real("softcap", 0.0);
  const Masks<T> masks(call, heads, heads.columns - k.rows);
  Tensor<T>* shown = call.wants(3) ? &call.template output_like<T>(3, heads.score_shape()) : nullptr;
  Tensor<T>& y = call.template output_like<T>(0, output_shape(heads));
  // Of one head at a time: those of all would not fit into memory.
  Tensor<T> scores(Shape{q.rows, heads.columns}), probabilities(scores.shape());
  heads.each_head([&](const Head& head, std::int64_t at) {
    const auto show = [&](std::int64_t now, const Tensor<T>& step) {
      if (shown != nullptr && now == mode) std::copy(step.begin(), step.end(), shown->data() + at);
    };
    write_scores(heads, head, scale, scores.data());
    show(0, scores);
    if (cap > 0)
      for (T& s : scores) s = static_cast<T>(cap) * tanh(s / static_cast<T>(cap));
    show(1, scores);
    std::vector<std::int64_t> hidden;
    for (std::int64_t row = 0; masks.any() && row < q.rows; ++row)
      if (masks.add(head, row, scores.data() + row * heads.columns)) hidden.push_back(row);
    show(2, scores);
    softmax_along(scores, probabilities, AxisView(scores.shape(), 1), Scale::probability);
    for (const std::int64_t row : hidden) std::fill_n(probabilities.data() + row * heads.columns, heads.columns, T(0));
    show(3, probabilities);
    apply_probabilities(heads, head, probabilities.data(), y);
  });
  if (call.wants(1)) call.put(1, {call.type(1), heads.keys});
  if (call.wants(2)) call.put(2, {call.type(2), heads.values});
});

/// Output 0 of the graph attribute `name` on `scores`, or the scores where there is none.
template <class T>
Tensor<T> modified(const Call<T>& call, const std::string& name, const Tensor<T>& scores) {
  if (!call.has_attribute(name)) return scores;
  const Graph& body = call.graph(name);
  call.require(body.inputs.size() == 1 && body.outputs.size() == 1, "attribute '" + name + "' must be a graph of one input and output");
  const Value<T> result = call.run(body, {{call.type(0), scores}})[0];
  const auto* reals = std::get_if<Tensor<T>>(&result.elements);
  if (reals == nullptr || reals->shape() != scores.shape())
    call.fail(
        fmt::format("attribute '{}' must give reals of shape {}, got {}", name, to_string(scores.shape()), to_string(result.shape())));
  return *reals;
}

/// Attention whose scores pass through the graph score_mod before softmax, and prob_mod after it. Q [B, H, L,
/// D], K [B, Hkv, S, D], V [B, Hkv, S, Dv] -> [B, H, L, Dv]. ONNX FlexAttention, ai.onnx.preview 1.
const bool flex_attention = define({.name = "FlexAttention", .domain = "ai.onnx.preview"}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  call.ignore({"softmax_precision"});
  const HeadsView q = heads_of(call, 0, "q_num_heads"), k = heads_of(call, 1, "kv_num_heads"), v = heads_of(call, 2, "kv_num_heads");
  const Heads<T> heads = gather_heads<T>(call, q, k, v, call.reals(1), call.reals(2));
  call.flops(heads.flops());
  const double scale = call.real("scale", 1 / std::sqrt(static_cast<double>(q.depth)));
  Tensor<T> plain(heads.score_shape());
  heads.each_head([&](const Head& head, std::int64_t at) { write_scores(heads, head, scale, plain.data() + at); });
  const Tensor<T> scores = modified(call, "score_mod", plain);
  Tensor<T> probabilities(scores.shape());
  softmax_along(scores, probabilities, AxisView(scores.shape(), 3), Scale::probability);
  Tensor<T> applied = modified(call, "prob_mod", probabilities);
  Tensor<T>& y = call.template output_like<T>(0, output_shape(heads));
  heads.each_head([&](const Head& head, std::int64_t at) { apply_probabilities(heads, head, applied.data() + at, y); });
});

/// Turns pairs of each head's elements by the angles of their position: (x1, x2) -> (cos x1 - sin x2, sin x1
/// + cos x2). x [B, H, L, D] or [B, L, H D] (num_heads); the caches [positions, R / 2] with position_ids [B,
/// L], or [B, L, R / 2]; R = rotary_embedding_dim elements are turned, or all. Pairs are halves apart, or
/// neighbours where interleaved = 1. ONNX RotaryEmbedding, opset 23 (Su et al., "RoFormer", 2021).
const bool rotary_embedding = define({.name = "RotaryEmbedding", .since = 23}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const HeadsView x = heads_of(call, 0, "num_heads");
  const std::int64_t given = call.integer("rotary_embedding_dim", 0), turned = given == 0 ? x.depth : given, half = turned / 2;
  const bool interleaved = call.integer("interleaved", 0) != 0, by_position = call.has_input(3);
  const Shape& cache = call.shape(1);
  const Shape wanted = by_position ? Shape{cache.at(0), half} : Shape{x.batch, x.rows, half};
  if (turned > x.depth || turned % 2 != 0 || cache != wanted || call.shape(2) != cache)
    call.fail(fmt::format("{} of {} elements turn in pairs, for which both caches must be {}; got {} and {}", turned, x.depth,
                          to_string(wanted), to_string(cache), to_string(call.shape(2))));
  if (by_position && call.shape(3) != Shape{x.batch, x.rows})
    call.fail(fmt::format("position_ids must be [{}, {}], got {}", x.batch, x.rows, to_string(call.shape(3))));
  Tensor<T>& y = call.template output_like<T>(0, call.shape(0));
  call.flops(6.0 * static_cast<double>(x.batch * x.heads * x.rows * half));
  const T *cosines = call.reals(1).data(), *sines = call.reals(2).data();
  for (std::int64_t n = 0; n < x.batch * x.heads * x.rows; ++n) {
    const std::int64_t b = n / (x.heads * x.rows), h = n / x.rows % x.heads, row = n % x.rows, token = b * x.rows + row;
    const std::int64_t position = by_position ? call.integers(3)[static_cast<std::size_t>(token)] : token;
    call.require(!by_position || (position >= 0 && position < cache[0]), "a position is outside the caches");
    const std::int64_t at = x.offset(b, h) + row * x.row_stride();
    const T* from = call.reals(0).data() + at;
    T* to = y.data() + at;
    for (std::int64_t i = 0; i < half; ++i) {
      const std::int64_t first = interleaved ? 2 * i : i, second = interleaved ? 2 * i + 1 : i + half;
      const T c = cosines[position * half + i], s = sines[position * half + i];
      to[first] = c * from[first] - s * from[second];
      to[second] = s * from[first] + c * from[second];
    }
    std::copy(from + turned, from + x.depth, to + turned);
  }
});

}  // namespace
}  // namespace assay::oracle
