// SPDX-License-Identifier: Apache-2.0
// A model's text as libonnx reads it: with placeholders for what the ONNX text syntax does not have.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "assay/spec/graph.h"

namespace assay::spec {

/// Where an offset of the model's text stands in its file.
using Locator = std::function<SourceLocation(std::size_t)>;

struct Replacement {
  std::size_t at = 0;  ///< offset in the file's text
  std::size_t length = 0;
  std::string placeholder;
};

class PlainText {
 public:
  /// `replacements` do not overlap. Lines stay lines.
  PlainText(const std::string& text, std::vector<Replacement> replacements);

  const std::string& text() const { return plain_; }
  /// The column in the file's text of `column` in line `line` of text(), all from 1.
  int original_column(int line, int column) const;

 private:
  struct Edit {
    int line;   ///< from 1
    int begin;  ///< column in text(), from 1
    int length;
    int grown;  ///< columns of text() that the file does not have
  };
  std::string plain_;
  std::vector<Edit> edits_;
};

/// A word that occurs nowhere in `text` and begins with `word`: placeholders are made of it.
std::string unused_word(const std::string& text, std::string word);

/// Past the string in quotation marks that begins at `at`.
std::size_t past_string(const std::string& text, std::size_t at);
std::size_t past_spaces(const std::string& text, std::size_t at);

}  // namespace assay::spec
