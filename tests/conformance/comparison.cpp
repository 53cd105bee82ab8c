// SPDX-License-Identifier: Apache-2.0
#include "comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

using spec::ElementType;

/// To a binary format of `precision` bits, normal exponents from `lowest`, magnitudes below `limit`.
double rounded_to_format(double x, int precision, int lowest, double limit) {
  if (x == 0 || !std::isfinite(x)) return x;
  const int exponent = std::max(std::ilogb(x), lowest);
  const double unit = std::ldexp(1.0, exponent - precision + 1);
  const double nearest = std::nearbyint(x / unit) * unit;
  return std::abs(nearest) >= limit ? std::copysign(HUGE_VAL, x) : nearest;
}

bool agree(double got, double expected, Tolerance allowed) {
  if (std::isnan(expected) || std::isnan(got)) return std::isnan(expected) && std::isnan(got);
  if (std::isinf(expected) || std::isinf(got)) return got == expected;
  return std::abs(got - expected) <= allowed.absolute + allowed.relative * std::abs(expected);
}

std::string place(std::size_t flat, const spec::Shape& shape) {
  spec::Shape index(shape.size());
  auto rest = static_cast<std::int64_t>(flat);
  for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) index[d] = rest % shape[d];
  return spec::to_string(index);
}

}  // namespace

Tolerance tolerance(ElementType type) {
  switch (type) {
    case ElementType::f64: return {1e-7, 1e-9};
    case ElementType::f16: return {2e-3, 1e-6};
    case ElementType::bf16: return {1e-2, 1e-6};
    default: return {1e-5, 1e-6};
  }
}

double rounded_to(ElementType type, double x) {
  switch (type) {
    case ElementType::f32: return static_cast<float>(x);
    case ElementType::f16: return rounded_to_format(x, 11, -14, 65536);
    case ElementType::bf16: return rounded_to_format(x, 8, -126, 0x1p128);
    default: return x;
  }
}

std::optional<std::string> difference(const oracle::Value<double>& got, const spec::ConstantTensor& expected, Tolerance allowed,
                                      std::int64_t units) {
  if (got.type != expected.type)
    return fmt::format("type {}, expected {}", spec::info(got.type).onnx_name, spec::info(expected.type).onnx_name);
  if (got.shape() != expected.shape)
    return fmt::format("shape {}, expected {}", spec::to_string(got.shape()), spec::to_string(expected.shape));
  std::optional<std::string> found;
  const auto compare = [&](const auto& elements, const auto& wanted, auto same) {
    for (std::size_t i = 0; i < elements.size() && !found; ++i)
      if (!same(elements[i], wanted[i])) found = fmt::format("{} at {}, expected {}", elements[i], place(i, expected.shape), wanted[i]);
  };
  if (const auto* reals = std::get_if<oracle::Tensor<double>>(&got.elements)) {
    compare(*reals, expected.reals, [&](double x, double y) { return agree(rounded_to(got.type, x), y, allowed); });
  } else if (const auto* integers = std::get_if<oracle::Integers>(&got.elements)) {
    compare(*integers, expected.integers, [units](std::int64_t x, std::int64_t y) { return std::abs(x - y) <= units; });
  } else {
    compare(std::get<oracle::Booleans>(got.elements), expected.integers, [](std::uint8_t x, std::int64_t y) { return x == y; });
  }
  return found;
}

}  // namespace assay
