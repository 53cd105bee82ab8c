// SPDX-License-Identifier: Apache-2.0
#include "oracle_body.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <utility>
#include <vector>

namespace assay::spec {
namespace {

struct WrittenTensor {
  std::string name, extents;  ///< extents: what stands between its brackets
};

/// Those of "(float[N, 2*C] x, int64[N] i)": the name is the last word before a comma or parenthesis that no bracket is open at.
std::vector<WrittenTensor> tensors_in(const std::string& text, std::size_t from) {
  std::vector<WrittenTensor> tensors;
  WrittenTensor tensor;
  bool ended = false;
  int depth = 0;
  for (std::size_t at = text.find('(', from); at < text.size(); ++at) {
    const char c = text[at];
    if (c == ']') --depth;
    if (depth > 0) tensor.extents += c;
    if (c == '[') ++depth;
    if (depth > 0 || c == ']') continue;
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      if (ended) tensor.name.clear();
      tensor.name += c;
      ended = false;
      continue;
    }
    ended = true;
    if ((c == ',' || c == ')') && !tensor.name.empty()) tensors.push_back(std::exchange(tensor, {}));
    if (c == ')') break;
  }
  return tensors;
}

std::string names_of(const std::vector<WrittenTensor>& tensors) {
  std::vector<std::string> names;
  for (const WrittenTensor& tensor : tensors) names.push_back(tensor.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool is_signature(const std::string& model) { return model.find("=>") != std::string::npos && model.find('{') == std::string::npos; }

std::string with_oracle_body(const std::string& signature) {
  if (!is_signature(signature)) return signature;
  const auto inputs = tensors_in(signature, 0), outputs = tensors_in(signature, signature.find("=>"));
  std::vector<std::string> extents;
  for (const WrittenTensor& output : outputs)
    if (!output.extents.empty()) extents.push_back(output.extents);
  const std::string attributes = extents.empty() ? "" : fmt::format(" <extents = [{}]>", fmt::join(extents, ", "));
  return fmt::format("{} {{ {} = assay.TaskOracle{} ({}) }}", signature, names_of(outputs), attributes, names_of(inputs));
}

void connect_oracle(Graph& model, const std::string& library) {
  auto signature = std::make_shared<Graph>();
  for (const auto* specs : {&model.inputs, &model.outputs}) signature->inputs.insert(signature->inputs.end(), specs->begin(), specs->end());
  Node& node = model.nodes.front();
  node.attributes["signature"] = std::shared_ptr<const Graph>(std::move(signature));
  node.attributes["library"] = library;
}

}  // namespace assay::spec
