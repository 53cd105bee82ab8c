// SPDX-License-Identifier: Apache-2.0
// The code blocks of a Markdown text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::generate {

struct CodeBlock {
  std::string info;    ///< behind the opening fence: "cpp", "c++ title=a.h", ""
  std::string text;    ///< without the indentation and the marks of lists and quotes around it
  std::string before;  ///< the paragraph or heading right before it
  int line = 0;        ///< of the first line of its text, from 1; 0 where it is empty
  bool closed = true;  ///< false: the text ends without a closing fence
};

/// In the order of the text. A block that is Markdown itself (its tag says so, or it holds fences) is replaced by the blocks in it.
std::vector<CodeBlock> code_blocks(std::string_view markdown);

}  // namespace assay::generate
