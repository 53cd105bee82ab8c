// SPDX-License-Identifier: Apache-2.0
// The comparator against the definition of its bound in expected.h, evaluated element by element in the plainest way.
#include <cmath>
#include <cstring>

#include "assay/cases/expected.h"
#include "assay/spec/half.h"
#include "property.h"

namespace assay::compare_target {
namespace {

using cases::Bytes, cases::compare, cases::Comparison, cases::ExpectedTensor;
using spec::ElementType;

/// Holds every value of int64 and of uint64.
__extension__ using Wide = __int128;

double real_at(const ExpectedTensor& tensor, const Bytes& bytes, std::size_t i) {
  const std::byte* at = bytes.data() + i * spec::size_of(tensor.type);
  const auto as = [at](auto number) {
    std::memcpy(&number, at, sizeof number);
    return number;
  };
  switch (tensor.type) {
    case ElementType::f32: return static_cast<double>(as(float()));
    case ElementType::f64: return as(double());
    case ElementType::f16: return spec::double_from_f16(as(std::uint16_t()));
    default: return spec::double_from_bf16(as(std::uint16_t()));
  }
}

/// In 128 bits, so that no type of ours wraps around.
Wide integer_at(const ExpectedTensor& tensor, const Bytes& bytes, std::size_t i) {
  const std::size_t size = spec::size_of(tensor.type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + i * size, size);
  const bool is_signed = tensor.type >= ElementType::i8 && tensor.type <= ElementType::i64;
  const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
  return is_signed && (bits & sign) != 0 ? static_cast<Wide>(bits) - (static_cast<Wide>(sign) << 1) : static_cast<Wide>(bits);
}

/// E, written from its definition; nothing for an element that is not judged, infinite where a class differs.
double plain_error(const ExpectedTensor& tensor, std::size_t i, double y) {
  const double o = tensor.values[i], s = tensor.scales[i], slack = tensor.slack.empty() ? 0 : tensor.slack[i];
  const bool wide = tensor.type == ElementType::f64;
  if (!std::isfinite(y) || !std::isfinite(o)) return y == o || (std::isnan(y) && std::isnan(o)) ? 0 : INFINITY;
  const double beyond = std::fabs(y - o) <= slack ? 0 : std::fabs(y - o) - slack;
  const double error = beyond / (std::ldexp(1, wide ? -53 : -24) * s + std::ldexp(1, wide ? -1022 : -126));
  return error >= 0 ? error : INFINITY;
}

bool accepts_reals(const ExpectedTensor& tensor, const Bytes& bytes) {
  double squares = 0;
  bool good = true;
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    if (std::isinf(tensor.scales[i])) continue;
    const double error = plain_error(tensor, i, real_at(tensor, bytes, i));
    good = good && error <= tensor.max_bound;
    squares += error * error;
  }
  const double count = tensor.values.empty() ? 1 : static_cast<double>(tensor.values.size());
  return good && std::sqrt(squares / count) <= tensor.rms_bound;
}

bool accepts_integers(const ExpectedTensor& tensor, const Bytes& bytes) {
  for (std::size_t i = 0; i < tensor.exact.size(); ++i) {
    const Wide right = tensor.type == ElementType::u64 ? static_cast<Wide>(static_cast<std::uint64_t>(tensor.exact[i]))
                                                       : static_cast<Wide>(tensor.exact[i]);
    if (integer_at(tensor, bytes, i) != right) return false;
  }
  return true;
}

ExpectedTensor drawn_tensor(Bits& bits) {
  ExpectedTensor tensor{"y", static_cast<ElementType>(bits.take<std::uint8_t>() % 13), {}, {}, {}, {}, {}, 0, 0};
  const std::int64_t rows = bits.take<std::uint8_t>() % 4, columns = bits.take<std::uint8_t>() % 8;
  tensor.shape = {rows, columns};
  tensor.max_bound = static_cast<double>(bits.take<std::uint16_t>()) / 16;
  tensor.rms_bound = static_cast<double>(bits.take<std::uint16_t>()) / 16;
  const bool slack = (bits.take<std::uint8_t>() & 1) != 0;
  const bool real = spec::info(tensor.type).element_class == spec::ElementClass::real;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    if (!real) {
      tensor.exact.push_back(bits.take<std::int64_t>());
      continue;
    }
    tensor.values.push_back(tensor.type == ElementType::f64 ? bits.take<double>() : static_cast<double>(bits.take<float>()));
    tensor.scales.push_back(std::fabs(static_cast<double>(bits.take<float>())));
    const double distance = std::fabs(static_cast<double>(bits.take<float>()));
    if (slack) tensor.slack.push_back(std::isfinite(distance) ? distance : 0);
  }
  return tensor;
}

/// What an honest kernel would store, before the fuzzer alters it: else next to nothing would be accepted.
Bytes right_bytes(const ExpectedTensor& tensor) {
  Bytes bytes(tensor.bytes());
  const std::size_t size = spec::size_of(tensor.type);
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    const float single = static_cast<float>(tensor.values[i]);
    const std::uint16_t half =
        tensor.type == ElementType::f16 ? spec::f16_from_double(tensor.values[i]) : spec::bf16_from_double(tensor.values[i]);
    const void* stored = tensor.type == ElementType::f64   ? static_cast<const void*>(&tensor.values[i])
                         : tensor.type == ElementType::f32 ? static_cast<const void*>(&single)
                                                           : static_cast<const void*>(&half);
    std::memcpy(bytes.data() + i * size, stored, size);
  }
  for (std::size_t i = 0; i < tensor.exact.size(); ++i) std::memcpy(bytes.data() + i * size, &tensor.exact[i], size);
  return bytes;
}

}  // namespace

FUZZ_TARGET(compare) {
  Bits bits(data, size);
  const ExpectedTensor tensor = drawn_tensor(bits);
  Bytes got = right_bytes(tensor);
  for (std::size_t changes = bits.take<std::uint8_t>() % 4; changes > 0 && !got.empty(); --changes)
    got[bits.take<std::uint16_t>() % got.size()] ^= static_cast<std::byte>(bits.take<std::uint8_t>());
  const Comparison comparison = compare({"case", {}, {}, {}, {tensor}, 0}, {got});
  const bool plain = tensor.values.empty() ? accepts_integers(tensor, got) : accepts_reals(tensor, got);
  require(comparison.accepted == plain, "the comparator accepts what the definition of the bound does", comparison.detail);
  require(comparison.accepted == comparison.detail.empty(), "a rejection says why", comparison.detail);
  return 0;
}

}  // namespace assay::compare_target
