// SPDX-License-Identifier: Apache-2.0
#include "float8_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "assay/spec/error.h"
#include "assay/spec/tensor_type.h"

namespace assay::spec {
namespace {

struct StandIn {
  ElementType type;
  const char* text;
  int onnx_value;
};
constexpr StandIn kStandIns[] = {{ElementType::f8e4m3, "complex64", onnx::TensorProto::COMPLEX64},
                                 {ElementType::f8e5m2, "complex128", onnx::TensorProto::COMPLEX128}};

constexpr int kFirstOpset = 19;

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// visit(word, its offset) for each word outside of strings.
template <class Visit>
void each_word(const std::string& text, Visit&& visit) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      at = past_string(text, at);
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_of_word(text[end])) ++end;
    if (end > at) visit(std::string_view(text).substr(at, end - at), at);
    at = std::max(end, at + 1);
  }
}

void put_float8(onnx::ValueInfoProto& value) {
  if (!value.type().has_tensor_type()) return;
  auto& tensor = *value.mutable_type()->mutable_tensor_type();
  for (const StandIn& stand_in : kStandIns)
    if (tensor.elem_type() == stand_in.onnx_value) tensor.set_elem_type(info(stand_in.type).onnx_value);
}

}  // namespace

std::vector<Replacement> find_float8(const std::string& text, int opset, const Locator& locate) {
  std::vector<Replacement> found;
  each_word(text, [&](std::string_view word, std::size_t at) {
    for (const StandIn& stand_in : kStandIns) {
      if (word == stand_in.text)
        throw SpecError(locate(at), fmt::format("model: tensors are of real numbers, got {}. do: keep a complex number as a pair of reals, "
                                                "float[N, 2]",
                                                word));
      if (word != info(stand_in.type).onnx_name) continue;
      if (opset < kFirstOpset)
        throw SpecError(locate(at), fmt::format("model: {} is there from opset {} on, got opset {}. do: say 'opset: {}' in task.yaml", word,
                                                kFirstOpset, opset, kFirstOpset));
      found.push_back({at, word.size(), stand_in.text});
    }
  });
  return found;
}

void put_float8(onnx::GraphProto& graph) {
  for (auto* values : {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()})
    for (auto& value : *values) put_float8(value);
  for (auto& node : *graph.mutable_node())
    for (auto& attribute : *node.mutable_attribute())
      if (attribute.has_g()) put_float8(*attribute.mutable_g());
}

}  // namespace assay::spec
