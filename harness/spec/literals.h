// SPDX-License-Identifier: Apache-2.0
// Numbers in place of operands, Mul(x, 0.5), which the ONNX text syntax does not have: each becomes a Constant.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "assay/spec/graph.h"

namespace onnx {
class GraphProto;
}

namespace assay {

/// Where an offset of the model's text stands in its file.
using Locator = std::function<SourceLocation(std::size_t)>;

struct Literal {
  std::string placeholder;  ///< what libonnx reads in its place
  std::string text;         ///< as the file has it: "0.5", "-inf"
  std::string name;         ///< of its Constant's output: its text, and which one where there are several
  std::size_t at = 0;       ///< offset in the file's text
};

/// A model's text, and what libonnx reads in its place.
class LiteralText {
 public:
  /// Throws SpecError: an operand that begins like a number and is none.
  LiteralText(const std::string& text, const Locator& locate);

  const std::string& plain() const { return plain_; }
  const std::vector<Literal>& literals() const { return literals_; }
  /// The column in the file's text of `column` in line `line` of plain(), all from 1.
  int original_column(int line, int column) const;

 private:
  struct Edit {
    int line;   ///< from 1
    int begin;  ///< column in plain(), from 1
    int length;
    int grown;  ///< columns of plain() that the file does not have
  };
  std::string plain_;
  std::vector<Literal> literals_;
  std::vector<Edit> edits_;
};

/// Puts a Constant before each node that has a literal, of the type that the node's other operands give it. Throws SpecError: no
/// operand gives a type, or the type does not have the number.
void insert_constants(onnx::GraphProto& graph, int opset, const std::vector<Literal>& literals, const Locator& locate);

}  // namespace assay
