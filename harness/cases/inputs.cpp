// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "assay/oracle/evaluate.h"
#include "assay/spec/cases.h"
#include "assay/spec/draw.h"
#include "assay/spec/float8.h"
#include "assay/spec/half.h"

namespace assay::cases {
namespace {

using oracle::Specials;
using spec::DrawnInput, spec::ElementType, spec::InputInit, spec::Shape, spec::TensorSpec, spec::element_count;

double number(const InputInit& init, const std::string& name, double fallback) {
  const auto found = init.numbers.find(name);
  return found == init.numbers.end() ? fallback : found->second;
}

float special_value(RandomStream& random, Specials policy) {
  using Limits = std::numeric_limits<float>;
  static constexpr float kFinite[] = {0.0f,
                                      -0.0f,
                                      1.0f,
                                      -1.0f,
                                      0.5f,
                                      -0.5f,
                                      Limits::min(),
                                      -Limits::min(),
                                      Limits::denorm_min(),
                                      -Limits::denorm_min(),
                                      Limits::epsilon(),
                                      88.0f,
                                      -88.0f,
                                      1e4f,
                                      -1e4f,
                                      1e-20f,
                                      -1e-20f,
                                      1e18f,
                                      -1e18f};
  if (policy == Specials::nan && random.below(16) == 0) return Limits::quiet_NaN();
  if (policy != Specials::finite && random.below(8) == 0) return random.below(2) == 0 ? Limits::infinity() : -Limits::infinity();
  return kFinite[random.below(std::size(kFinite))];
}

double fan_in(const InputInit& init, const Shape& shape, const std::map<std::string, std::int64_t>& dims) {
  if (const auto of = init.names.find("of"); of != init.names.end()) return static_cast<double>(dims.at(of->second));
  std::int64_t product = 1;
  for (std::size_t d = 1; d < shape.size(); ++d) product *= shape[d];
  return number(init, "fan_in", static_cast<double>(product));
}

float with_random_sign(RandomStream& random, double magnitude) { return static_cast<float>(random.below(2) == 0 ? magnitude : -magnitude); }

/// The rows of the last axis, each sorted, and in the order of their last elements; the kinds `sorted` and `reversed`. The last element of
/// all is the largest, or the smallest: who leaves out a tail does not find it.
template <class T>
void sort_rows(const Shape& shape, std::span<T> out, bool descending) {
  const auto width = static_cast<std::size_t>(shape.empty() ? 1 : std::max<std::int64_t>(1, shape.back()));
  const auto before = [descending](T a, T b) { return descending ? b < a : a < b; };
  std::vector<std::span<T>> rows;
  for (std::size_t at = 0; at + width <= out.size(); at += width) rows.push_back(out.subspan(at, width));
  for (const std::span<T> row : rows) std::ranges::sort(row, before);
  std::ranges::stable_sort(rows, before, [](std::span<T> row) { return row.back(); });
  std::vector<T> ordered;
  ordered.reserve(out.size());
  for (const std::span<T> row : rows) ordered.insert(ordered.end(), row.begin(), row.end());
  std::ranges::copy(ordered, out.begin());
}

/// Pairs x, -x (1 + d) with d of a few thousandths, shuffled: sums that all but cancel.
template <class T>
void draw_cancellation(RandomStream& random, std::span<T> out) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<T>(i % 2 == 0 ? 1000 * random.normal() : -static_cast<double>(out[i - 1]) * (1 + 0.004 * random.normal()));
  for (std::size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[random.below(i)]);
}

/// Kinds that stand for a class of values rather than a distribution; false where `init` is none of them.
template <class T, class Fill>
bool draw_value_class(const InputInit& init, const Shape& shape, RandomStream& random, Fill&& fill, std::span<T> out) {
  if (init.kind == "log_uniform" || init.kind == "large" || init.kind == "subnormal") {
    const bool large = init.kind == "large", small = init.kind == "subnormal";
    const double low = number(init, "low", large ? 96 : small ? -149 : -60);
    const double high = number(init, "high", large ? 112 : small ? -126 : 60);
    fill([&] {
      const auto steps = static_cast<std::uint64_t>(high - low);
      const int exponent = static_cast<int>(low) + static_cast<int>(random.below(std::max<std::uint64_t>(1, steps)));
      return with_random_sign(random, std::ldexp(1 + random.uniform(), exponent));
    });
  } else if (init.kind == "cancellation") {
    draw_cancellation(random, out);
  } else if (init.kind == "ties") {
    fill([&] { return static_cast<double>(random.below(5)) - 2; });
  } else if (init.kind == "sorted" || init.kind == "reversed") {
    fill([&] { return random.normal(); });
    sort_rows(shape, out, init.kind == "reversed");
  } else if (init.kind == "spikes") {
    fill([&] { return random.below(64) == 0 ? 100 * random.normal() : 0.0; });
    if (!out.empty()) out.back() = static_cast<T>(with_random_sign(random, 100));  // the last tile is not skipped unseen
  } else {
    return false;
  }
  return true;
}

template <class T>
void draw_reals(const InputInit& init, const Shape& shape, const std::map<std::string, std::int64_t>& dims, Specials policy,
                RandomStream& random, T* out) {
  const std::int64_t count = element_count(shape);
  const auto fill = [&](auto&& draw) {
    for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<T>(draw());
  };
  if (init.kind == "normal") {
    const double mean = number(init, "mean", 0), deviation = number(init, "std", 1);
    std::array<double, 512> drawn;
    for (std::int64_t done = 0; done < count;) {
      const auto some = std::span(drawn).first(static_cast<std::size_t>(std::min<std::int64_t>(count - done, std::ssize(drawn))));
      std::is_same_v<T, float> ? random.fill_normal_floats(some) : random.fill_normal(some);
      for (const double x : some) out[done++] = static_cast<T>(mean + deviation * x);
    }
    return;
  }
  if (init.kind == "uniform" || init.kind == "kaiming") {
    const double bound = init.kind == "kaiming" ? 1 / std::sqrt(std::max(1.0, fan_in(init, shape, dims))) : 0;
    const double low = number(init, "low", -bound), high = number(init, "high", init.kind == "kaiming" ? bound : 1);
    return fill([&] { return low + (high - low) * random.uniform(); });
  }
  if (init.kind == "special_finite") policy = Specials::finite;
  if (init.kind == "special" || init.kind == "special_finite")
    // Mostly ordinary values: a row of nothing but NaN tests nothing but NaN.
    return fill([&] { return random.below(8) == 0 ? special_value(random, policy) : random.normal(); });
  if (init.kind == "integer") {
    const auto low = static_cast<std::int64_t>(number(init, "low", -8)), high = static_cast<std::int64_t>(number(init, "high", 8));
    const double density = number(init, "density", 1);
    const auto step = static_cast<std::int64_t>(number(init, "step", 1));
    return fill([&] {
      if (density < 1 && random.uniform() >= density) return std::int64_t{0};
      return low + step * static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>((high - low) / step + 1)));
    });
  }
  if (init.kind == "bernoulli") {
    const double p = number(init, "p", 0.5);
    return fill([&] { return random.uniform() < p ? 1 : 0; });
  }
  if (draw_value_class(init, shape, random, fill, std::span(out, static_cast<std::size_t>(count)))) return;
  if (init.kind == "zeros") return fill([] { return 0; });
  if (init.kind == "ones") return fill([] { return 1; });
  if (init.kind == "constant") return fill([&] { return number(init, "value", 0); });
  throw std::invalid_argument(fmt::format("init '{}' does not suit a floating-point input", init.kind));
}

template <class T>
void draw_integers(const InputInit& init, const Shape& shape, const std::map<std::string, std::int64_t>& dims, RandomStream& random,
                   T* out) {
  const std::int64_t count = element_count(shape);
  if (init.kind == "extremes") {
    using Limits = std::numeric_limits<T>;
    constexpr T kEnds[] = {Limits::min(), Limits::max(),     static_cast<T>(Limits::min() + 1), static_cast<T>(Limits::max() - 1), T(0),
                           T(1),          static_cast<T>(-1)};
    for (std::int64_t i = 0; i < count; ++i)
      out[i] = random.below(2) == 0 ? kEnds[random.below(std::size(kEnds))] : static_cast<T>(random.bits());
    return;
  }
  if (init.kind == "bernoulli" || init.kind == "zeros" || init.kind == "ones")
    return draw_reals(init, shape, dims, Specials::finite, random, out);
  // The same kinds as for reals, drawn there and truncated: every integer involved is exact in double.
  std::vector<double> reals(static_cast<std::size_t>(count));
  draw_reals(init, shape, dims, Specials::finite, random, reals.data());
  for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<T>(reals[static_cast<std::size_t>(i)]);
}

}  // namespace

std::map<std::string, std::int64_t> draw_dims(const spec::Case& entry, const Seed& seed) {
  std::map<std::string, std::int64_t> dims;
  for (const auto& [name, range] : entry.dims) {
    RandomStream random(seed, {"dimension", entry.name, name});
    const std::int64_t choices = (range.high - range.low) / range.step + 1;
    dims[name] = range.low + range.step * static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(choices)));
  }
  return dims;
}

std::vector<std::map<std::string, std::int64_t>> draw_timing_shapes(const spec::Task& task, const std::string& target, const Seed& seed) {
  std::vector<std::map<std::string, std::int64_t>> drawn;
  const auto timing = task.timing.find(target);
  if (timing == task.timing.end()) return drawn;
  for (const spec::DimRanges& shape : timing->second)
    drawn.push_back(draw_dims({"timing_" + std::to_string(drawn.size()), shape, {}}, seed));
  return drawn;
}

namespace {

/// 8 bits saturate, since most classes of values are beyond their range; infinities stay where there are any.
void store_short_reals(const std::vector<double>& values, ElementType type, void* out) {
  if (spec::is_float8(type)) {
    std::ranges::transform(values, static_cast<std::uint8_t*>(out), [type](double x) {
      return spec::float8_from_double(std::isinf(x) && type == ElementType::f8e5m2 ? x : spec::saturated(x, type), type);
    });
    return;
  }
  std::ranges::transform(values, static_cast<std::uint16_t*>(out), [type](double x) { return spec::bits_from_double(x, type); });
}

Bytes draw_tensor(const TensorSpec& spec, const Shape& shape, const InputInit& init, const std::map<std::string, std::int64_t>& dims,
                  Specials policy, RandomStream& random);

/// Slices along the first axis, each of a class of values; all classes in drawn order before one comes again. Ordinary numbers, the
/// first class, are always among them: where slices are fewer than classes, what is wrong for any data shows all the same.
Bytes draw_mixed(const TensorSpec& spec, Shape shape, const std::map<std::string, std::int64_t>& dims, Specials policy,
                 RandomStream& random) {
  const std::vector<InputInit> classes = spec::mixed_classes(spec.type);
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  const std::size_t slices = shape.empty() ? 1 : static_cast<std::size_t>(shape.front());
  if (const auto ordinary = static_cast<std::size_t>(std::ranges::find(order, 0) - order.begin()); ordinary >= slices && slices > 0)
    std::swap(order[ordinary], order[random.below(slices)]);
  if (!shape.empty()) shape.front() = 1;
  Bytes bytes;
  for (std::size_t slice = 0; slice < slices; ++slice) {
    const InputInit& init = classes[order[slice % order.size()]];
    const Bytes part = draw_tensor(spec, shape, init, dims, policy, random);
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  return bytes;
}

Bytes draw_tensor(const TensorSpec& spec, const Shape& shape, const InputInit& init, const std::map<std::string, std::int64_t>& dims,
                  Specials policy, RandomStream& random) {
  if (init.kind == "mixed") return draw_mixed(spec, shape, dims, policy, random);
  Bytes bytes(static_cast<std::size_t>(element_count(shape)) * spec::size_of(spec.type));
  void* out = bytes.data();
  switch (spec.type) {
    case ElementType::f32: draw_reals(init, shape, dims, policy, random, static_cast<float*>(out)); break;
    case ElementType::f64: draw_reals(init, shape, dims, policy, random, static_cast<double*>(out)); break;
    case ElementType::i8: draw_integers(init, shape, dims, random, static_cast<std::int8_t*>(out)); break;
    case ElementType::i16: draw_integers(init, shape, dims, random, static_cast<std::int16_t*>(out)); break;
    case ElementType::i32: draw_integers(init, shape, dims, random, static_cast<std::int32_t*>(out)); break;
    case ElementType::i64: draw_integers(init, shape, dims, random, static_cast<std::int64_t*>(out)); break;
    case ElementType::u8:
    case ElementType::boolean: draw_integers(init, shape, dims, random, static_cast<std::uint8_t*>(out)); break;
    case ElementType::u16: draw_integers(init, shape, dims, random, static_cast<std::uint16_t*>(out)); break;
    case ElementType::u32: draw_integers(init, shape, dims, random, static_cast<std::uint32_t*>(out)); break;
    case ElementType::u64: draw_integers(init, shape, dims, random, static_cast<std::uint64_t*>(out)); break;
    case ElementType::f16:
    case ElementType::bf16:
    case ElementType::f8e4m3:
    case ElementType::f8e5m2: {
      std::vector<double> reals(static_cast<std::size_t>(element_count(shape)));
      draw_reals(init, shape, dims, policy, random, reals.data());
      store_short_reals(reals, spec.type, out);
    }
  }
  return bytes;
}

class StreamSource final : public spec::RandomSource {
 public:
  explicit StreamSource(RandomStream& stream) : stream_(stream) {}
  std::uint64_t bits() override { return stream_.bits(); }

 private:
  RandomStream& stream_;
};

/// Draws an input that has a structure; those that it names have their values.
void draw_values(DrawnInput& input, RandomStream& random) {
  const spec::Draw& draw = *spec::find_draw(input.init.kind);
  const auto fail = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("input '{}' cannot be drawn: init '{}': {}", input.spec.name, draw.name, why));
  };
  if (std::ranges::find(draw.types, spec::info(input.spec.type).element_class) == draw.types.end())
    fail(fmt::format("does not suit {}", spec::info(input.spec.type).onnx_name));
  if (const std::string obstacle = draw.obstacle(input); !obstacle.empty()) fail(obstacle);
  StreamSource source(random);
  input.values = draw.draw(input, source);
}

template <class T>
void store_as(const std::vector<double>& values, void* out) {
  std::ranges::transform(values, static_cast<T*>(out), [](double x) { return static_cast<T>(x); });
}

/// The drawn values as the candidate gets them.
Bytes stored(const DrawnInput& input) {
  const std::vector<double>& values = input.values;
  Bytes bytes(values.size() * spec::size_of(input.spec.type));
  void* out = bytes.data();
  switch (input.spec.type) {
    case ElementType::f32: store_as<float>(values, out); break;
    case ElementType::f64: store_as<double>(values, out); break;
    case ElementType::i8: store_as<std::int8_t>(values, out); break;
    case ElementType::i16: store_as<std::int16_t>(values, out); break;
    case ElementType::i32: store_as<std::int32_t>(values, out); break;
    case ElementType::i64: store_as<std::int64_t>(values, out); break;
    case ElementType::u8:
    case ElementType::boolean: store_as<std::uint8_t>(values, out); break;
    case ElementType::u16: store_as<std::uint16_t>(values, out); break;
    case ElementType::u32: store_as<std::uint32_t>(values, out); break;
    case ElementType::u64: store_as<std::uint64_t>(values, out); break;
    case ElementType::f16:
    case ElementType::bf16:
    case ElementType::f8e4m3:
    case ElementType::f8e5m2: store_short_reals(values, input.spec.type, out);
  }
  return bytes;
}

}  // namespace

Bytes draw_input(const TensorSpec& spec, const Shape& shape, const InputInit& init, const std::map<std::string, std::int64_t>& dims,
                 Specials policy, RandomStream random) {
  if (spec::find_draw(init.kind) == nullptr) return draw_tensor(spec, shape, init, dims, policy, random);
  DrawnInput input{spec, init, dims, shape, {}, {}};
  draw_values(input, random);
  return stored(input);
}

std::vector<Bytes> draw_inputs(const spec::Task& task, const std::map<std::string, InputInit>& overrides,
                               const std::map<std::string, std::int64_t>& dims, const Seed& seed, const std::string& stream) {
  const Specials policy = oracle::special_policy(task.model);
  std::vector<DrawnInput> inputs = spec::inputs_at(task, overrides, dims);
  const auto stream_of = [&](const DrawnInput& input) { return RandomStream(seed, {"input", stream, input.spec.name}); };
  const std::function<void(DrawnInput&)> draw = [&](DrawnInput& input) {
    if (spec::find_draw(input.init.kind) == nullptr || !input.values.empty()) return;
    for (const auto& [parameter, other] : input.related) draw(inputs[static_cast<std::size_t>(other - inputs.data())]);
    RandomStream random = stream_of(input);
    draw_values(input, random);
  };
  std::vector<Bytes> drawn;
  for (DrawnInput& input : inputs) {
    draw(input);
    drawn.push_back(input.values.empty() ? draw_input(input.spec, input.shape, input.init, dims, policy, stream_of(input)) : stored(input));
  }
  return drawn;
}

}  // namespace assay::cases
