// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace assay {

/// The faults that are put into a source, one at a time.
enum class Kind { comparison, bound, index, constant, dropped, operation, type, arguments };

inline constexpr const char* kind_names[] = {"comparison", "bound", "index", "constant", "dropped", "operation", "type", "arguments"};

/// The name as it stands in lists and in equivalent.tsv.
inline std::string name(Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

/// One replacement of a piece of text. `original` and `mutated` are the lines that it touches, white space
/// collapsed: with the kind they describe the mutation in a way that survives changes elsewhere in the file.
/// Of mutations that read the same (the line stands in the file twice) the second one's `mutated` ends in "
/// #2", and so on.
struct Mutation {
  Kind kind;
  std::string function;  ///< that it lies in; "(file)" outside of all
  unsigned line;         ///< from 1
  std::size_t offset;    ///< in bytes, of the text that is replaced
  std::size_t length;
  std::string replacement;
  std::string original;
  std::string mutated;
};

}  // namespace assay
