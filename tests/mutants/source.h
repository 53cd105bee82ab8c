// SPDX-License-Identifier: Apache-2.0
// A C++ file as libclang reads it: its text, and cursors into its syntax tree.
#pragma once

#include <clang-c/Index.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Half-open range of bytes in the file.
struct Range {
  std::size_t begin, end;
};

/// Owns what libclang allocated for the file.
class Source {
 public:
  /// Parses `path` as C++20 with `include_folders`; `text` stands for the file's contents.
  /// @throws std::runtime_error where libclang finds errors, naming the first one
  Source(std::string path, std::string text, const std::vector<std::string>& include_folders);

  const std::string& text() const { return text_; }
  CXCursor root() const { return clang_getTranslationUnitCursor(unit_.get()); }

  /// Whether the cursor's text lies in the file itself, not in what it includes, and is no macro's doing.
  bool holds(CXCursor cursor) const;
  Range range(CXCursor cursor) const;
  std::string_view text(Range range) const { return std::string_view(text_).substr(range.begin, range.end - range.begin); }
  std::string_view text(CXCursor cursor) const { return text(range(cursor)); }

 private:
  struct Dispose {
    void operator()(CXIndex index) const { clang_disposeIndex(index); }
    void operator()(CXTranslationUnit unit) const { clang_disposeTranslationUnit(unit); }
  };
  std::string text_;
  std::unique_ptr<void, Dispose> index_;
  std::unique_ptr<CXTranslationUnitImpl, Dispose> unit_;
};

std::string spelling(CXCursor cursor);
/// The canonical type's name without an outermost const: "long" for `const int64_t`.
std::string plain_type(CXType type);
std::vector<CXCursor> children(CXCursor cursor);
/// What implicit conversions and the like wrap: the cursor that has a kind of its own.
CXCursor unwrapped(CXCursor cursor);

}  // namespace assay
