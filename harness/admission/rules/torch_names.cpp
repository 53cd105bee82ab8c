// SPDX-License-Identifier: Apache-2.0
// The torch line goes into the prompt, where it is read as the definition. Where PyTorch is installed its values are compared; that it
// reads what the model reads can be told without.
#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "rules.h"

namespace assay::admission {

void torch_line_names_inputs(const Evidence& evidence, std::vector<Finding>& found) {
  const std::string& line = evidence.task.torch;
  if (line.empty()) return;
  static const std::regex kWord("[A-Za-z_][A-Za-z0-9_]*");
  std::vector<std::string> words;
  for (std::sregex_iterator word(line.begin(), line.end(), kWord), end; word != end; ++word) words.push_back(word->str());
  for (const spec::TensorSpec& input : evidence.task.model.inputs)
    if (std::ranges::find(words, input.name) == words.end())
      found.push_back({fmt::format("torch line without '{}'", input.name),
                       "the line does not read an input of the model. do: make the two say the same", Finding::Excuse::none});
}

}  // namespace assay::admission
