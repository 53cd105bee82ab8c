// SPDX-License-Identifier: Apache-2.0
#include "backend_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "assay/oracle/evaluate.h"
#include "assay/spec/half.h"
#include "comparison.h"
#include "proto.h"

namespace assay {

namespace fs = std::filesystem;
using oracle::Value;
using spec::ConstantTensor;

struct BackendTest::Model {
  onnx::ModelProto proto;
};

namespace {

void add_once(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

std::string element_type_name(int number) {
  if (const spec::ElementTypeInfo* known = spec::element_type_from_onnx(number)) return std::string(known->onnx_name);
  // Younger than the installed libonnx, or no kernel's: TensorProto.DataType of ONNX 1.21.
  static const std::map<int, std::string> others = {
      {8, "string"},      {14, "complex64"},      {15, "complex128"}, {17, "float8e4m3fn"}, {18, "float8e4m3fnuz"},
      {19, "float8e5m2"}, {20, "float8e5m2fnuz"}, {21, "uint4"},      {22, "int4"},         {23, "float4e2m1"},
      {24, "float8e8m0"}, {25, "uint2"},          {26, "int2"}};
  const auto found = others.find(number);
  return found == others.end() ? fmt::format("element type {}", number) : found->second;
}

std::string type_name(const onnx::TypeProto& type) {
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType: return element_type_name(type.tensor_type().elem_type());
    case onnx::TypeProto::kSequenceType: return "sequence";
    case onnx::TypeProto::kOptionalType: return "optional";
    case onnx::TypeProto::kMapType: return "map";
    case onnx::TypeProto::kSparseTensorType: return "sparse";
    default: return "untyped";
  }
}

/// Operators and types of a graph and of the bodies in it.
void survey(const onnx::GraphProto& graph, std::vector<std::string>& operators, std::vector<std::string>& types) {
  for (const auto* values : {&graph.input(), &graph.output(), &graph.value_info()})
    for (const auto& value : *values) add_once(types, type_name(value.type()));
  for (const auto& tensor : graph.initializer()) add_once(types, element_type_name(tensor.data_type()));
  for (const auto& node : graph.node()) {
    add_once(operators, node.op_type());
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_t()) add_once(types, element_type_name(attribute.t().data_type()));
      if (attribute.has_g()) survey(attribute.g(), operators, types);
    }
  }
}

/// Of the default domain; a model that imports none has no node to which it would matter.
int default_opset(const onnx::ModelProto& model) {
  for (const auto& import : model.opset_import())
    if (import.domain().empty() || import.domain() == "ai.onnx") return static_cast<int>(import.version());
  return spec::Graph{}.opset;
}

ConstantTensor read_tensor(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  onnx::TensorProto proto;
  if (!file || !proto.ParseFromIstream(&file)) throw std::runtime_error(path.filename().string() + " is no tensor");
  return spec::constant_from_proto(proto);
}

/// prefix_0.pb, prefix_1.pb, ... as far as there are; `specs` are the model's inputs or outputs.
std::vector<ConstantTensor> read_tensors(const fs::path& folder, const std::string& prefix, const std::vector<spec::TensorSpec>& specs) {
  std::vector<ConstantTensor> tensors;
  for (std::size_t i = 0;; ++i) {
    const fs::path path = folder / fmt::format("{}_{}.pb", prefix, i);
    if (!fs::exists(path)) return tensors;
    ConstantTensor tensor = read_tensor(path);
    // NumPy has no bfloat16: the data files hold its bits as uint16.
    if (i < specs.size() && specs[i].type == spec::ElementType::bf16 && tensor.type == spec::ElementType::u16) {
      tensor.type = spec::ElementType::bf16;
      for (const std::int64_t bits : tensor.integers) tensor.reals.push_back(spec::double_from_bf16(static_cast<std::uint16_t>(bits)));
    }
    tensors.push_back(std::move(tensor));
  }
}

Value<double> as_value(const ConstantTensor& tensor) {
  const auto fill = [&](auto elements, const auto& from) {
    std::copy(from.begin(), from.end(), elements.begin());
    return Value<double>{tensor.type, elements};
  };
  switch (spec::info(tensor.type).element_class) {
    case spec::ElementClass::real: return fill(oracle::Tensor<double>(tensor.shape), tensor.reals);
    case spec::ElementClass::integer: return fill(oracle::Integers(tensor.shape), tensor.integers);
    case spec::ElementClass::boolean: break;
  }
  return fill(oracle::Booleans(tensor.shape), tensor.integers);
}

std::optional<std::string> failure_of_data_set(const spec::Graph& graph, const fs::path& folder, std::optional<double> coarse) {
  std::vector<Value<double>> inputs;
  for (const ConstantTensor& tensor : read_tensors(folder, "input", graph.inputs)) inputs.push_back(as_value(tensor));
  const std::vector<ConstantTensor> expected = read_tensors(folder, "output", graph.outputs);
  if (expected.empty()) return "no expected output";
  const std::vector<Value<double>> got = oracle::evaluate<double>(graph, inputs);
  if (got.size() != expected.size()) return fmt::format("{} outputs, expected {}", got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Tolerance allowed = coarse ? Tolerance{*coarse, *coarse} : tolerance(expected[i].type);
    const auto units = static_cast<std::int64_t>(coarse.value_or(0));
    if (const auto cause = difference(got[i], expected[i], allowed, units))
      return fmt::format("output {} ('{}'): {}", i, graph.outputs[i].name, *cause);
  }
  return {};
}

}  // namespace

BackendTest::BackendTest(fs::path folder)
    : folder_(std::move(folder)), name_(folder_.filename().string()), model_(std::make_unique<Model>()) {
  std::ifstream file(folder_ / "model.onnx", std::ios::binary);
  if (!file || !model_->proto.ParseFromIstream(&file))
    throw std::runtime_error(fmt::format("{}: model.onnx is missing or no ONNX model", folder_.string()));
  survey(model_->proto.graph(), operators_, types_);
}

BackendTest::~BackendTest() = default;
BackendTest::BackendTest(BackendTest&&) noexcept = default;

std::optional<std::string> BackendTest::failure(std::optional<double> coarse) const {
  try {
    const spec::Graph graph = spec::graph_from_proto(model_->proto.graph(), default_opset(model_->proto));
    int data_sets = 0;
    for (; fs::exists(folder_ / fmt::format("test_data_set_{}", data_sets)); ++data_sets)
      if (const auto cause = failure_of_data_set(graph, folder_ / fmt::format("test_data_set_{}", data_sets), coarse)) return cause;
    if (data_sets == 0) return "no test_data_set_0";
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace assay
