// SPDX-License-Identifier: Apache-2.0
// As much of HTML and CSV as tells whether a page of ours is well-formed. Written apart from the code that writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The first place where a page is not well-formed: a tag that nothing opened or closed, an attribute without quotes, a
/// bare '&', an element or attribute that runs code. Empty where there is none.
std::string markup_fault(std::string_view page);

struct CsvTable {
  std::vector<std::vector<std::string>> lines;
  bool whole = true;
};
CsvTable read_csv(std::string_view text);

}  // namespace assay
