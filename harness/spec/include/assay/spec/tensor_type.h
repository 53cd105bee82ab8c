// SPDX-License-Identifier: Apache-2.0
// Element types of ONNX tensors, and shapes whose dimensions may be symbolic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay::spec {

enum class ElementType : std::uint8_t { f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64, boolean, f8e4m3, f8e5m2 };

enum class ElementClass : std::uint8_t { real, integer, boolean };

struct ElementTypeInfo {
  ElementType type;
  std::string_view onnx_name;  ///< as in ONNX text syntax: "float"
  std::string_view c_name;     ///< as in kernel.h: "float"; kernel.h says what "float16", "bfloat16" and "float8_e4m3" are
  std::size_t size;            ///< bytes
  ElementClass element_class;
  int onnx_value;  ///< TensorProto.DataType
};

/// Facts about `type`; total over ElementType.
const ElementTypeInfo& info(ElementType type);

/// The type with this TensorProto.DataType value, or nullptr if this project does not know it.
const ElementTypeInfo* element_type_from_onnx(int onnx_value);

/// The type that ONNX's text syntax calls so, or nullptr.
const ElementTypeInfo* element_type_named(std::string_view onnx_name);

inline std::size_t size_of(ElementType type) { return info(type).size; }
inline bool is_real(ElementType type) { return info(type).element_class == ElementClass::real; }
/// Whether it is a real of fewer bits than kernels compute in.
inline bool is_short_real(ElementType type) { return is_real(type) && size_of(type) < 4; }

/// Concrete extents, row-major; empty for a scalar (rank 0).
using Shape = std::vector<std::int64_t>;

/// Number of elements; 1 for rank 0.
std::int64_t element_count(const Shape& shape);

/// "[2, 3]".
std::string to_string(const Shape& shape);

/// Values of dimensions, by name.
using Dims = std::map<std::string, std::int64_t>;

struct DimExpression;

/// One extent of a declared shape: a number, a name that a case binds to one, or an expression of such names.
struct Dim {
  std::string name;                                        ///< empty where the extent is a number; of an expression its text
  std::int64_t value = -1;                                 ///< the number; -1 where symbolic
  std::shared_ptr<const DimExpression> derived = nullptr;  ///< the expression, else null
  bool symbolic() const { return !name.empty(); }
  bool operator==(const Dim& other) const { return name == other.name && value == other.value; }
};

struct TensorSpec {
  std::string name;
  ElementType type = ElementType::f32;
  std::vector<Dim> shape;
};

}  // namespace assay::spec
