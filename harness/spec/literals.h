// SPDX-License-Identifier: Apache-2.0
// Numbers in place of operands, Mul(x, 0.5), which the ONNX text syntax does not have: each becomes a Constant.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plain_text.h"

namespace onnx {
class GraphProto;
}

namespace assay::spec {

struct Literal {
  std::string placeholder;  ///< what libonnx reads in its place
  std::string text;         ///< as the file has it: "0.5", "-inf"
  std::string name;         ///< of its Constant's output: its text, and which one where there are several
  std::size_t at = 0;       ///< offset in the file's text
  std::size_t length = 0;   ///< there
};

/// The literals of `text`; in `others` there are none. Throws SpecError: an operand that begins like a number and is none.
std::vector<Literal> find_literals(const std::string& text, const std::vector<Replacement>& others, const Locator& locate);

/// Puts a Constant before each node that has a literal, of the type that the node's other operands give it. Throws SpecError: no
/// operand gives a type, or the type does not have the number.
void insert_constants(onnx::GraphProto& graph, int opset, const std::vector<Literal>& literals, const Locator& locate);

}  // namespace assay::spec
