// SPDX-License-Identifier: Apache-2.0
// The names that an answer gives to its files.
#pragma once

#include <string>
#include <string_view>

#include "code_blocks.h"

namespace assay::generate {

struct BlockName {
  std::string path;         ///< as the model wrote it; empty: it gave none
  bool first_line = false;  ///< it stands in the first line of the text, which is no code
};

/// From the fence ("cpp title=a.h"), the block's first line ("// file: a.h"), or the line before it ("**a.h**").
BlockName name_of(const CodeBlock& block);

/// Why `path` may be no file of a candidate ("climbs"); empty where it may.
std::string why_refused(std::string_view path);

/// `path` without its folders.
std::string flat_name(std::string_view path);

}  // namespace assay::generate
