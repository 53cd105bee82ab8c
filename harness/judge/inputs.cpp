// SPDX-License-Identifier: Apache-2.0
#include "assay/judge/inputs.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>

#include "assay/oracle/evaluate.h"

namespace assay {
namespace {

double number(const InputInit& init, const std::string& name, double fallback) {
  const auto found = init.numbers.find(name);
  return found == init.numbers.end() ? fallback : found->second;
}

float special_value(RandomStream& random, Specials policy) {
  using Limits = std::numeric_limits<float>;
  static constexpr float kFinite[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, Limits::min(), -Limits::min(),
                                      Limits::denorm_min(), -Limits::denorm_min(), Limits::epsilon(), 88.0f, -88.0f,
                                      1e4f, -1e4f, 1e-20f, -1e-20f, 1e18f, -1e18f};
  if (policy == Specials::nan && random.below(16) == 0) return Limits::quiet_NaN();
  if (policy != Specials::finite && random.below(8) == 0) return random.below(2) == 0 ? Limits::infinity() : -Limits::infinity();
  return kFinite[random.below(std::size(kFinite))];
}

double fan_in(const InputInit& init, const Shape& shape, const std::map<std::string, std::int64_t>& dims) {
  if (!init.of.empty()) return static_cast<double>(dims.at(init.of));
  std::int64_t product = 1;
  for (std::size_t d = 1; d < shape.size(); ++d) product *= shape[d];
  return number(init, "fan_in", static_cast<double>(product));
}

template <class T>
void draw_reals(const InputInit& init, const Shape& shape, const std::map<std::string, std::int64_t>& dims,
                Specials policy, RandomStream& random, T* out) {
  const std::int64_t count = element_count(shape);
  const auto fill = [&](auto&& draw) { for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<T>(draw()); };
  if (init.kind == "normal") {
    const double mean = number(init, "mean", 0), deviation = number(init, "std", 1);
    return fill([&] { return mean + deviation * random.normal(); });
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
  if (init.kind == "probability") {
    const std::int64_t row = shape.empty() ? 1 : std::max<std::int64_t>(1, shape.back());
    for (std::int64_t at = 0; at < count; at += row) {
      double total = 0;
      std::vector<double> weights(static_cast<std::size_t>(row));
      for (double& weight : weights) total += weight = 0.05 + random.uniform();
      for (std::int64_t i = 0; i < row; ++i) out[at + i] = static_cast<T>(weights[static_cast<std::size_t>(i)] / total);
    }
    return;
  }
  if (init.kind == "integer") {
    const auto low = static_cast<std::int64_t>(number(init, "low", -8)), high = static_cast<std::int64_t>(number(init, "high", 8));
    return fill([&] { return low + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low + 1))); });
  }
  if (init.kind == "bernoulli") return fill([&] { return random.uniform() < number(init, "p", 0.5) ? 1 : 0; });
  if (init.kind == "zeros") return fill([] { return 0; });
  if (init.kind == "ones") return fill([] { return 1; });
  if (init.kind == "constant") return fill([&] { return number(init, "value", 0); });
  throw std::invalid_argument(fmt::format("init '{}' does not suit a floating-point input", init.kind));
}

std::vector<std::int64_t> draw_indices(std::int64_t count, std::int64_t range, bool distinct, RandomStream& random) {
  std::vector<std::int64_t> drawn(static_cast<std::size_t>(count));
  if (!distinct) {
    for (auto& index : drawn) index = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(range)));
    return drawn;
  }
  if (count > range) throw std::invalid_argument(fmt::format("{} distinct indices do not fit in [0, {})", count, range));
  std::vector<std::int64_t> all(static_cast<std::size_t>(range));
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    std::swap(all[i], all[i + random.below(all.size() - i)]);
    drawn[i] = all[i];
  }
  return drawn;
}

template <class T>
void draw_integers(const InputInit& init, const Shape& shape, const std::map<std::string, std::int64_t>& dims,
                   RandomStream& random, T* out) {
  const std::int64_t count = element_count(shape);
  if (init.kind == "index") {
    const auto named = dims.find(init.of);
    const std::int64_t range = named == dims.end() ? std::stoll(init.of) : named->second;
    const auto indices = draw_indices(count, range, init.distinct, random);
    for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<T>(indices[static_cast<std::size_t>(i)]);
    return;
  }
  // The same kinds as for reals, drawn there and truncated: every integer involved is exact in double.
  std::vector<double> reals(static_cast<std::size_t>(count));
  draw_reals(init, shape, dims, Specials::finite, random, reals.data());
  for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<T>(reals[static_cast<std::size_t>(i)]);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, const std::string& name) : state_(seed) {
  for (const char c : name) {
    state_ ^= static_cast<unsigned char>(c);
    state_ = bits();
  }
}

std::uint64_t RandomStream::bits() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits()) * bound) >> 64);
}

double RandomStream::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double RandomStream::normal() {
  const std::uint64_t word = bits();
  const std::uint64_t sum = (word & 0xffff) + (word >> 16 & 0xffff) + (word >> 32 & 0xffff) + (word >> 48);
  // Four uniforms have variance 4/12, so sqrt(3) makes it 1; -2 (and half a step each) centres them.
  return (static_cast<double>(sum) * 0x1p-16 - 2.0 + 0x1p-15) * 1.7320508075688772;
}

std::uint64_t parse_seed(const std::string& text, const std::string& who) {
  const bool hexadecimal = text.starts_with("0x");
  const char* end = text.data() + text.size();
  std::uint64_t seed = 0;
  const auto parsed = std::from_chars(text.data() + (hexadecimal ? 2 : 0), end, seed, hexadecimal ? 16 : 10);
  if (parsed.ec != std::errc() || parsed.ptr != end)
    throw std::runtime_error(fmt::format("{}: got '{}'. do: give a number below 2^64, decimal or 0x...", who, text));
  return seed;
}

std::uint64_t fresh_seed() {
  if (const char* given = std::getenv("ASSAY_SEED"); given != nullptr && *given != '\0')
    return parse_seed(given, "ASSAY_SEED");
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) throw std::runtime_error("seed: getrandom failed");
  return seed;
}

std::string seed_text(std::uint64_t seed) { return fmt::format("{:#018x}", seed); }

std::map<std::string, std::int64_t> draw_dims(const Case& entry, std::uint64_t seed) {
  std::map<std::string, std::int64_t> dims;
  for (const auto& [name, range] : entry.dims) {
    RandomStream random(seed, entry.name + "/dim/" + name);
    const std::int64_t choices = (range.high - range.low) / range.step + 1;
    dims[name] = range.low + range.step * static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(choices)));
  }
  return dims;
}

Bytes draw_input(const TensorSpec& spec, const Shape& shape, const InputInit& init,
                 const std::map<std::string, std::int64_t>& dims, Specials policy, RandomStream random) {
  Bytes bytes(static_cast<std::size_t>(element_count(shape)) * size_of(spec.type));
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
      throw std::invalid_argument(fmt::format("input '{}': type {} cannot be drawn", spec.name, info(spec.type).onnx_name));
  }
  return bytes;
}

std::vector<Bytes> draw_inputs(const Task& task, const std::map<std::string, InputInit>& overrides,
                               const std::map<std::string, std::int64_t>& dims, std::uint64_t seed,
                               const std::string& stream) {
  const Specials policy = special_policy(task.model);
  const std::vector<Shape> shapes = concrete_shapes(task.model.inputs, dims);
  std::vector<Bytes> inputs;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const TensorSpec& spec = task.model.inputs[i];
    const auto own = overrides.find(spec.name);
    inputs.push_back(draw_input(spec, shapes[i], own != overrides.end() ? own->second : task.inputs.at(spec.name), dims,
                                policy, RandomStream(seed, stream + "/" + spec.name)));
  }
  return inputs;
}

}  // namespace assay
