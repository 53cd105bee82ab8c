// SPDX-License-Identifier: Apache-2.0
// Raw outputs against what is expected. Written so that a NaN fails every test: accept only what is shown to be right.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/cases/expected.h"
#include "assay/cases/verifier.h"
#include "assay/spec/half.h"

namespace assay::cases {
namespace {

using spec::ElementType;

std::string index_text(const ExpectedTensor& expected, std::size_t flat) {
  std::vector<std::int64_t> index(expected.shape.size());
  auto rest = static_cast<std::int64_t>(flat);
  for (std::size_t d = index.size(); d-- > 0; rest /= expected.shape[d]) index[d] = rest % expected.shape[d];
  return fmt::format("{}[{}]", expected.name, fmt::join(index, ", "));
}

bool differs(std::int64_t got, std::int64_t right, double slack) {
  if (slack == 0) return got != right;  // not by way of double, which has 53 bits
  return std::abs(static_cast<double>(got) - static_cast<double>(right)) > slack;
}

template <class Stored>
void compare_exactly(const ExpectedTensor& expected, const Bytes& bytes, const std::string& name, Comparison& result) {
  const auto* got = reinterpret_cast<const Stored*>(bytes.data());
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = 0; i < expected.exact.size(); ++i)
    if (differs(static_cast<std::int64_t>(got[i]), expected.exact[i], expected.slack_at(i)) && wrong++ == 0) first = i;
  if (wrong == 0) return;
  result.accepted = false;
  result.max_abs = std::max(result.max_abs, std::abs(static_cast<double>(got[first]) - static_cast<double>(expected.exact[first])));
  if (!result.detail.empty()) return;
  result.where = name + ": " + index_text(expected, first);
  result.detail = fmt::format("{}: got {}, expected {}; {} of {} elements differ", result.where, static_cast<std::int64_t>(got[first]),
                              expected.exact[first], wrong, expected.exact.size());
}

struct Worst {
  double error = -1;
  std::size_t at = 0;
  std::size_t beyond = 0;  // elements outside the bound, or of another class
  std::size_t first_beyond = 0;
  double squares = 0;
};

/// `count` neighbouring elements of an output; too few of them to leave the first cache.
constexpr std::size_t kStretch = 1024;
using Stretch = Eigen::Array<double, Eigen::Dynamic, 1, 0, kStretch, 1>;

template <class Numbers>
bool all_finite(const Numbers& x) {
  return (x - x).sum() == 0;
}

/// Takes in a stretch whose elements are all finite and within the bound; false where one may not be.
bool add_ordinary(const ExpectedTensor& expected, std::size_t begin, const Stretch& got, Worst& worst, Comparison& result) {
  const Precision precision = precision_of(expected.type);
  const auto at = static_cast<std::ptrdiff_t>(begin);
  const auto part = [&](const oracle::Elements<double>& all) { return Eigen::Map<const Stretch>(all.data() + at, got.size()); };
  const auto right = part(expected.values), scales = part(expected.scales);
  if (!all_finite(got) || !all_finite(right) || !all_finite(scales)) return false;
  const Stretch distances = (got - right).abs();
  Stretch errors = distances;
  if (!expected.slack.empty()) errors = (distances - part(expected.slack)).max(0);
  errors /= precision.roundoff * scales + precision.smallest_normal;
  const double largest = errors.maxCoeff();
  if (!(largest <= expected.max_bound)) return false;
  if (largest > worst.error) {
    Eigen::Index where = 0;
    worst.error = errors.maxCoeff(&where);
    worst.at = begin + static_cast<std::size_t>(where);
  }
  worst.squares += errors.square().sum();
  result.max_abs = std::max(result.max_abs, distances.maxCoeff());
  if ((distances - result.max_rel * right.abs()).maxCoeff() > 0)
    result.max_rel = std::max(result.max_rel, (right != 0).select(distances / right.abs(), 0.0).maxCoeff());
  return true;
}

void add_element(const ExpectedTensor& expected, std::size_t i, double got, Worst& worst, Comparison& result) {
  const double right = expected.values[i];
  if (std::isinf(expected.scales[i])) return;
  bool good = std::isnan(right) ? std::isnan(got) : got == right;
  if (std::isfinite(right)) {
    const double told = scaled_error(got, right, expected.scales[i], expected.slack_at(i), precision_of(expected.type));
    const double error = told >= 0 ? told : std::numeric_limits<double>::infinity();
    const double difference = std::isnan(got) ? std::numeric_limits<double>::infinity() : std::abs(got - right);
    good = error <= expected.max_bound;
    if (error > worst.error) worst.error = error, worst.at = i;
    worst.squares += error * error;
    result.max_abs = std::max(result.max_abs, difference);
    if (right != 0) result.max_rel = std::max(result.max_rel, difference / std::abs(right));
  }
  if (!good && worst.beyond++ == 0) worst.first_beyond = i;
}

template <class Stored>
Worst measure(const ExpectedTensor& expected, const Stored* got, Comparison& result) {
  Worst worst;
  for (std::size_t begin = 0; begin < expected.values.size(); begin += kStretch) {
    const std::size_t end = std::min(begin + kStretch, expected.values.size());
    const Stretch stretch = Eigen::Map<const Eigen::Array<Stored, Eigen::Dynamic, 1>>(got + begin, static_cast<Eigen::Index>(end - begin))
                                .template cast<double>();
    if (add_ordinary(expected, begin, stretch, worst, result)) continue;
    for (std::size_t i = begin; i < end; ++i) add_element(expected, i, static_cast<double>(got[i]), worst, result);
  }
  return worst;
}

/// The part of its bound that an error takes: above 1 it is too large.
double share(double error, double bound) {
  if (bound > 0) return error / bound;
  return error == 0 ? 0 : std::numeric_limits<double>::infinity();
}

template <class Stored>
void compare_reals(const ExpectedTensor& expected, const Stored* got, const std::string& name, Comparison& result) {
  const std::size_t count = expected.values.size();
  const Worst worst = measure(expected, got, result);
  const double rms = std::sqrt(worst.squares / static_cast<double>(std::max<std::size_t>(1, count)));
  if (worst.error >= 0 && (result.where.empty() || share(worst.error, expected.max_bound) > share(result.scaled, result.bound))) {
    result.scaled = worst.error;
    result.bound = expected.max_bound;
    if (result.detail.empty()) result.where = name + ": " + index_text(expected, worst.at);
  }
  const bool good = worst.beyond == 0 && rms <= expected.rms_bound;
  if (good) return;
  result.accepted = false;
  if (!result.detail.empty()) return;
  if (worst.beyond > 0) {
    const std::size_t i = worst.first_beyond;
    result.where = name + ": " + index_text(expected, i);
    const double error = scaled_error(static_cast<double>(got[i]), expected.values[i], expected.scales[i], expected.slack_at(i),
                                      precision_of(expected.type));
    result.detail =
        fmt::format("{}: got {:.9g}, expected {:.9g} (error {:.3g}, bound {:.3g} units of u*scale); {} of {} elements are wrong",
                    result.where, static_cast<double>(got[i]), expected.values[i], error, expected.max_bound, worst.beyond, count);
  } else {
    result.detail = fmt::format("{}: root-mean-square error of '{}' is {:.3g}, bound {:.3g} units of u*scale: less precise than float32",
                                name, expected.name, rms, expected.rms_bound);
  }
}

template <class Stored>
std::vector<double> decoded(const Bytes& bytes, ElementType type) {
  std::vector<double> reals(bytes.size() / sizeof(Stored));
  const auto* stored = reinterpret_cast<const Stored*>(bytes.data());
  std::transform(stored, stored + reals.size(), reals.begin(), [type](Stored bits) { return spec::double_from_bits(bits, type); });
  return reals;
}

}  // namespace

Comparison compare(const PreparedCase& expected, const std::vector<Bytes>& outputs) {
  for (std::size_t t = 0; t < expected.outputs.size(); ++t)
    if (outputs.at(t).size() != expected.outputs[t].bytes()) throw std::logic_error("compare: output of the wrong size");
  if (expected.verifier != nullptr) return expected.verifier->judge(expected, outputs);
  Comparison result;
  for (std::size_t t = 0; t < expected.outputs.size(); ++t) {
    const ExpectedTensor& tensor = expected.outputs[t];
    const Bytes& bytes = outputs.at(t);
    switch (tensor.type) {
      case ElementType::f32: compare_reals(tensor, reinterpret_cast<const float*>(bytes.data()), expected.name, result); break;
      case ElementType::f64: compare_reals(tensor, reinterpret_cast<const double*>(bytes.data()), expected.name, result); break;
      case ElementType::i8: compare_exactly<std::int8_t>(tensor, bytes, expected.name, result); break;
      case ElementType::i16: compare_exactly<std::int16_t>(tensor, bytes, expected.name, result); break;
      case ElementType::i32: compare_exactly<std::int32_t>(tensor, bytes, expected.name, result); break;
      case ElementType::i64:
      case ElementType::u64: compare_exactly<std::int64_t>(tensor, bytes, expected.name, result); break;
      case ElementType::u8:
      case ElementType::boolean: compare_exactly<std::uint8_t>(tensor, bytes, expected.name, result); break;
      case ElementType::u16: compare_exactly<std::uint16_t>(tensor, bytes, expected.name, result); break;
      case ElementType::u32: compare_exactly<std::uint32_t>(tensor, bytes, expected.name, result); break;
      case ElementType::f16:
      case ElementType::bf16: compare_reals(tensor, decoded<std::uint16_t>(bytes, tensor.type).data(), expected.name, result); break;
      case ElementType::f8e4m3:
      case ElementType::f8e5m2: compare_reals(tensor, decoded<std::uint8_t>(bytes, tensor.type).data(), expected.name, result); break;
    }
  }
  return result;
}

}  // namespace assay::cases
