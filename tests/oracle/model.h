// SPDX-License-Identifier: Apache-2.0
// A model in the ONNX text syntax, for tests of more than one node: expect_model("f (float[2] x) => ...",
// {inputs}, {outputs}).
#pragma once

#include "model_text.h"
#include "one_node.h"

namespace assay::oracle {

inline Graph model(const std::string& text, int opset = 17) { return spec::parse_model(text, opset, {"task.yaml", 1, 0}); }

template <class T>
std::vector<Value<T>> run(const Graph& graph, const std::vector<Input>& inputs, Cost* cost = nullptr) {
  std::vector<Value<T>> values;
  for (const Input& input : inputs) values.push_back(input.value<T>());
  return evaluate<T>(graph, values, cost);
}

/// Checks the outputs, each given as its shape and elements, over double, float and Bounded.
inline void expect_model(const Graph& graph, const std::vector<Input>& inputs, const std::vector<Input>& outputs) {
  const auto compare = [&](const auto& got) {
    ASSERT_EQ(got.size(), outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_EQ(got[i].shape(), outputs[i].shape) << "output " << i;
      EXPECT_EQ(got[i].type, outputs[i].type) << "output " << i;
      EXPECT_EQ(elements(got[i]), outputs[i].elements) << "output " << i;
    }
  };
  compare(run<double>(graph, inputs));
  compare(run<float>(graph, inputs));
  compare(run<Bounded>(graph, inputs));
}

}  // namespace assay::oracle
