// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/tensor_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "assay/spec/countable.h"

namespace assay::spec {
namespace {

constexpr std::array<ElementTypeInfo, 15> kTypes{{
    {ElementType::f32, "float", "float", 4, ElementClass::real, 1},
    {ElementType::f64, "double", "double", 8, ElementClass::real, 11},
    {ElementType::f16, "float16", "float16", 2, ElementClass::real, 10},
    {ElementType::bf16, "bfloat16", "bfloat16", 2, ElementClass::real, 16},
    {ElementType::i8, "int8", "int8_t", 1, ElementClass::integer, 3},
    {ElementType::i16, "int16", "int16_t", 2, ElementClass::integer, 5},
    {ElementType::i32, "int32", "int32_t", 4, ElementClass::integer, 6},
    {ElementType::i64, "int64", "int64_t", 8, ElementClass::integer, 7},
    {ElementType::u8, "uint8", "uint8_t", 1, ElementClass::integer, 2},
    {ElementType::u16, "uint16", "uint16_t", 2, ElementClass::integer, 4},
    {ElementType::u32, "uint32", "uint32_t", 4, ElementClass::integer, 12},
    {ElementType::u64, "uint64", "uint64_t", 8, ElementClass::integer, 13},
    {ElementType::boolean, "bool", "bool", 1, ElementClass::boolean, 9},
    {ElementType::f8e4m3, "float8e4m3fn", "float8_e4m3", 1, ElementClass::real, 17},
    {ElementType::f8e5m2, "float8e5m2", "float8_e5m2", 1, ElementClass::real, 19},
}};

}  // namespace

const ElementTypeInfo& info(ElementType type) { return kTypes[static_cast<std::size_t>(type)]; }

const ElementTypeInfo* element_type_from_onnx(int onnx_value) {
  const auto* found = std::ranges::find(kTypes, onnx_value, &ElementTypeInfo::onnx_value);
  return found == kTypes.end() ? nullptr : &*found;
}

const ElementTypeInfo* element_type_named(std::string_view onnx_name) {
  const auto* found = std::ranges::find(kTypes, onnx_name, &ElementTypeInfo::onnx_name);
  return found == kTypes.end() ? nullptr : &*found;
}

bool is_countable(const Shape& shape) {
  constexpr std::int64_t kLargestElement = 16;
  std::int64_t bytes = kLargestElement;
  return std::ranges::all_of(
      shape, [&](std::int64_t extent) { return extent >= 0 && !__builtin_mul_overflow(bytes, std::max<std::int64_t>(1, extent), &bytes); });
}

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

std::string to_string(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

}  // namespace assay::spec
