// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/onnx_model.h"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <variant>
#include <vector>

#include "assay/spec/dim_expression.h"
#include "assay/spec/half.h"

namespace assay::spec {
namespace {

/// Little-endian, as ONNX stores it and as this machine has it.
template <class Stored, class Value>
void append(std::string& raw, Value value) {
  const auto stored = static_cast<Stored>(value);
  raw.append(reinterpret_cast<const char*>(&stored), sizeof stored);
}

void append_real(std::string& raw, double x, ElementType type) {
  switch (type) {
    case ElementType::f32: return append<float>(raw, x);
    case ElementType::f16:
    case ElementType::bf16: return append<std::uint16_t>(raw, bits_from_double(x, type));
    case ElementType::f8e4m3:
    case ElementType::f8e5m2: return append<std::uint8_t>(raw, bits_from_double(x, type));
    default: return append<double>(raw, x);
  }
}

onnx::TensorProto proto_of(const ConstantTensor& tensor) {
  onnx::TensorProto proto;
  proto.set_data_type(info(tensor.type).onnx_value);
  for (const std::int64_t extent : tensor.shape) proto.add_dims(extent);
  std::string& raw = *proto.mutable_raw_data();
  for (const double x : tensor.reals) append_real(raw, x, tensor.type);
  for (const std::int64_t x : tensor.integers) raw.append(reinterpret_cast<const char*>(&x), info(tensor.type).size);
  return proto;
}

void write_graph(const Graph& graph, const Dims& dims, onnx::GraphProto& proto);

/// Fills `proto` with what an attribute of each kind holds.
struct AttributeWriter {
  const Dims& dims;
  onnx::AttributeProto& proto;
  using Proto = onnx::AttributeProto;

  void operator()(std::int64_t value) const {
    proto.set_type(Proto::INT);
    proto.set_i(value);
  }
  void operator()(double value) const {
    proto.set_type(Proto::FLOAT);
    proto.set_f(static_cast<float>(value));
  }
  void operator()(const std::string& value) const {
    proto.set_type(Proto::STRING);
    proto.set_s(value);
  }
  void operator()(const std::vector<std::int64_t>& values) const {
    proto.set_type(Proto::INTS);
    proto.mutable_ints()->Add(values.begin(), values.end());
  }
  void operator()(const std::vector<double>& values) const {
    proto.set_type(Proto::FLOATS);
    for (const double value : values) proto.add_floats(static_cast<float>(value));
  }
  void operator()(const std::vector<std::string>& values) const {
    proto.set_type(Proto::STRINGS);
    for (const std::string& value : values) proto.add_strings(value);
  }
  void operator()(const ConstantTensor& value) const {
    proto.set_type(Proto::TENSOR);
    *proto.mutable_t() = proto_of(value);
  }
  void operator()(const std::shared_ptr<const Graph>& body) const {
    proto.set_type(Proto::GRAPH);
    write_graph(*body, dims, *proto.mutable_g());
    for (const TensorSpec& input : body->inputs) proto.mutable_g()->add_input()->set_name(input.name);
    for (const TensorSpec& output : body->outputs) proto.mutable_g()->add_output()->set_name(output.name);
  }
  void operator()(const DimAttribute&) const { throw std::logic_error("onnx_model: at_dims() left dimensions"); }
};

/// All but its inputs and outputs.
void write_graph(const Graph& graph, const Dims& dims, onnx::GraphProto& proto) {
  proto.set_name(graph.name.empty() ? "body" : graph.name);
  for (const auto& [name, tensor] : graph.initializers) {
    onnx::TensorProto& initializer = *proto.add_initializer();
    initializer = proto_of(tensor);
    initializer.set_name(name);
  }
  for (const Node& general : graph.nodes) {
    const Node node = at_dims(general, dims);
    onnx::NodeProto& to = *proto.add_node();
    to.set_op_type(node.op_type);
    to.set_domain(node.domain);
    for (const std::string& input : node.inputs) to.add_input(input);
    for (const std::string& output : node.outputs) to.add_output(output);
    for (const auto& [name, attribute] : node.attributes) {
      onnx::AttributeProto& attribute_proto = *to.add_attribute();
      attribute_proto.set_name(name);
      std::visit(AttributeWriter{dims, attribute_proto}, attribute);
    }
  }
}

void describe(const TensorSpec& tensor, const Dims& dims, onnx::ValueInfoProto& proto) {
  proto.set_name(tensor.name);
  auto& type = *proto.mutable_type()->mutable_tensor_type();
  type.set_elem_type(info(tensor.type).onnx_value);
  type.mutable_shape();
  for (const Dim& dim : tensor.shape) type.mutable_shape()->add_dim()->set_dim_value(extent_of(dim, dims));
}

void collect_domains(const Graph& graph, std::set<std::string>& domains) {
  for (const Node& node : graph.nodes) {
    domains.insert(node.domain);
    for (const auto& [name, attribute] : node.attributes)
      if (const auto* body = std::get_if<std::shared_ptr<const Graph>>(&attribute)) collect_domains(**body, domains);
  }
}

}  // namespace

std::string onnx_model(const Graph& model, const Dims& dims) {
  onnx::ModelProto proto;
  proto.set_ir_version(onnx::Version::IR_VERSION);
  std::set<std::string> domains = {""};
  collect_domains(model, domains);
  for (const std::string& domain : domains) {
    auto& import = *proto.add_opset_import();
    import.set_domain(domain);
    import.set_version(domain.empty() ? model.opset : 1);
  }
  onnx::GraphProto& graph = *proto.mutable_graph();
  write_graph(model, dims, graph);
  for (const TensorSpec& input : model.inputs) describe(input, dims, *graph.add_input());
  for (const TensorSpec& output : model.outputs) describe(output, dims, *graph.add_output());
  return proto.SerializeAsString();
}

}  // namespace assay::spec
