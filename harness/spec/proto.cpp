// SPDX-License-Identifier: Apache-2.0
#include "proto.h"

#include <fmt/format.h>

#include <cstring>

#include "assay/spec/countable.h"
#include "assay/spec/error.h"
#include "assay/spec/half.h"

namespace assay::spec {
namespace {

ElementType element_type(int onnx_value, const std::string& what) {
  const ElementTypeInfo* known = element_type_from_onnx(onnx_value);
  if (known == nullptr)
    throw SpecError({}, fmt::format("{}: element type {} is not numeric. do: use float, double, float16, bfloat16, "
                                    "float8e4m3fn, float8e5m2, an integer type or bool",
                                    what, onnx_value));
  return known->type;
}

/// Calls put(raw element) for each element of `raw`, little-endian as ONNX stores it.
template <class Stored, class Put>
void each_raw(const std::string& raw, Put&& put) {
  for (std::size_t at = 0; at + sizeof(Stored) <= raw.size(); at += sizeof(Stored)) {
    Stored element;
    std::memcpy(&element, raw.data() + at, sizeof element);
    put(element);
  }
}

void read_raw(const std::string& raw, ConstantTensor& out) {
  const auto real = [&](auto x) { out.reals.push_back(static_cast<double>(x)); };
  const auto integer = [&](auto x) { out.integers.push_back(static_cast<std::int64_t>(x)); };
  switch (out.type) {
    case ElementType::f32: return each_raw<float>(raw, real);
    case ElementType::f64: return each_raw<double>(raw, real);
    case ElementType::f16:
    case ElementType::bf16: return each_raw<std::uint16_t>(raw, [&](auto x) { real(double_from_bits(x, out.type)); });
    case ElementType::f8e4m3:
    case ElementType::f8e5m2: return each_raw<std::uint8_t>(raw, [&](auto x) { real(double_from_bits(x, out.type)); });
    case ElementType::i8: return each_raw<std::int8_t>(raw, integer);
    case ElementType::i16: return each_raw<std::int16_t>(raw, integer);
    case ElementType::i32: return each_raw<std::int32_t>(raw, integer);
    case ElementType::i64: return each_raw<std::int64_t>(raw, integer);
    case ElementType::u8:
    case ElementType::boolean: return each_raw<std::uint8_t>(raw, integer);
    case ElementType::u16: return each_raw<std::uint16_t>(raw, integer);
    case ElementType::u32: return each_raw<std::uint32_t>(raw, integer);
    case ElementType::u64: return each_raw<std::uint64_t>(raw, integer);
  }
}

void read_typed(const onnx::TensorProto& proto, ConstantTensor& out) {
  for (const float x : proto.float_data()) out.reals.push_back(x);
  for (const double x : proto.double_data()) out.reals.push_back(x);
  for (const std::int32_t x : proto.int32_data()) {
    if (is_short_real(out.type)) out.reals.push_back(double_from_bits(static_cast<std::uint16_t>(x), out.type));
    else out.integers.push_back(x);
  }
  for (const std::int64_t x : proto.int64_data()) out.integers.push_back(x);
  for (const std::uint64_t x : proto.uint64_data()) out.integers.push_back(static_cast<std::int64_t>(x));
}

Attribute attribute_from_proto(const onnx::AttributeProto& proto, int opset, std::optional<ElementType> compute) {
  using Proto = onnx::AttributeProto;
  switch (proto.type()) {
    case Proto::INT: return proto.i();
    case Proto::FLOAT: return static_cast<double>(proto.f());
    case Proto::STRING: return proto.s();
    case Proto::INTS: return std::vector<std::int64_t>(proto.ints().begin(), proto.ints().end());
    case Proto::FLOATS: return std::vector<double>(proto.floats().begin(), proto.floats().end());
    case Proto::STRINGS: return std::vector<std::string>(proto.strings().begin(), proto.strings().end());
    case Proto::TENSOR: return constant_from_proto(proto.t());
    case Proto::GRAPH: return std::make_shared<const Graph>(graph_from_proto(proto.g(), opset, compute));
    default:
      throw SpecError({}, fmt::format("attribute '{}': its kind ({}) is not supported", proto.name(), static_cast<int>(proto.type())));
  }
}

TensorSpec tensor_spec(const onnx::ValueInfoProto& proto) {
  TensorSpec spec;
  spec.name = proto.name();
  if (!proto.type().has_tensor_type()) {
    // A body's inputs and outputs may be untyped; evaluation needs their names alone.
    if (proto.type().value_case() == onnx::TypeProto::VALUE_NOT_SET) return spec;
    throw SpecError({}, fmt::format("'{}' is not a tensor. do: use tensors alone, no sequences, maps or optionals", proto.name()));
  }
  const auto& tensor = proto.type().tensor_type();
  spec.type = element_type(tensor.elem_type(), "'" + proto.name() + "'");
  for (const auto& dim : tensor.shape().dim()) {
    if (dim.has_dim_value()) spec.shape.push_back({"", dim.dim_value()});
    else spec.shape.push_back({dim.dim_param().empty() ? "?" : dim.dim_param(), -1});
  }
  return spec;
}

}  // namespace

ConstantTensor constant_from_proto(const onnx::TensorProto& proto) {
  ConstantTensor tensor;
  tensor.type = element_type(proto.data_type(), "constant '" + proto.name() + "'");
  tensor.shape.assign(proto.dims().begin(), proto.dims().end());
  if (!is_countable(tensor.shape))
    throw SpecError({}, fmt::format("constant '{}': no tensor has the shape {}", proto.name(), to_string(tensor.shape)));
  if (proto.has_raw_data()) read_raw(proto.raw_data(), tensor);
  else read_typed(proto, tensor);
  const auto expected = static_cast<std::size_t>(element_count(tensor.shape));
  const std::size_t stored = std::max(tensor.reals.size(), tensor.integers.size());
  if (stored != expected)
    throw SpecError(
        {}, fmt::format("constant '{}': shape {} needs {} elements, got {}", proto.name(), to_string(tensor.shape), expected, stored));
  return tensor;
}

namespace {

void add_attribute(const onnx::AttributeProto& attribute, const Graph& graph, Node& node) {
  if (!node.attributes.emplace(attribute.name(), attribute_from_proto(attribute, graph.opset, graph.compute)).second)
    throw SpecError({}, fmt::format("{}: attribute '{}' is given twice", node.op_type, attribute.name()));
}

}  // namespace

Graph graph_from_proto(const onnx::GraphProto& proto, int opset, std::optional<ElementType> compute) {
  Graph graph;
  graph.name = proto.name();
  graph.opset = opset;
  graph.compute = compute;
  for (const auto& tensor : proto.initializer()) graph.initializers[tensor.name()] = constant_from_proto(tensor);
  for (const auto& input : proto.input())
    if (!graph.initializers.contains(input.name())) graph.inputs.push_back(tensor_spec(input));
  for (const auto& output : proto.output()) graph.outputs.push_back(tensor_spec(output));
  for (const auto& from : proto.node()) {
    Node node;
    node.op_type = from.op_type();
    node.domain = from.domain() == "ai.onnx" ? "" : from.domain();
    node.inputs.assign(from.input().begin(), from.input().end());
    node.outputs.assign(from.output().begin(), from.output().end());
    for (const auto& attribute : from.attribute()) add_attribute(attribute, graph, node);
    graph.nodes.push_back(std::move(node));
  }
  return graph;
}

}  // namespace assay::spec
