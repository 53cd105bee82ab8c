// SPDX-License-Identifier: Apache-2.0
#include "source.h"

#include <fmt/format.h>

#include <stdexcept>

namespace assay {
namespace {

std::string take(CXString string) {
  const char* characters = clang_getCString(string);
  std::string result = characters == nullptr ? "" : characters;
  clang_disposeString(string);
  return result;
}

// GCC has these built in, Clang has not. Declared, calls of them have a type and do not spoil the expressions
// around them.
constexpr const char* kGccBuiltins = R"(
template <class Vector, class Mask> Vector __builtin_shuffle(Vector, Mask);
template <class Vector, class Mask> Vector __builtin_shuffle(Vector, Vector, Mask);
)";
constexpr const char* kGccBuiltinsFile = "/gcc_builtins.h";  // exists in libclang's memory only

CXFile position(CXSourceLocation location, std::size_t* offset) {
  CXFile file = nullptr;
  unsigned at = 0;
  clang_getExpansionLocation(location, &file, nullptr, nullptr, &at);
  if (offset != nullptr) *offset = at;
  return file;
}

void refuse_errors(CXTranslationUnit unit, const std::string& path) {
  for (unsigned i = 0; i < clang_getNumDiagnostics(unit); ++i) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
    const bool error = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
    const std::string message = take(clang_formatDiagnostic(diagnostic, clang_defaultDiagnosticDisplayOptions()));
    clang_disposeDiagnostic(diagnostic);
    if (error)
      throw std::runtime_error(fmt::format("{}: libclang cannot read it: {}. do: give its include folders with -I", path, message));
  }
}

}  // namespace

Source::Source(std::string path, std::string text, const std::vector<std::string>& include_folders)
    : text_(std::move(text)), index_(clang_createIndex(0, 0)) {
  std::vector<std::string> arguments = {"-xc++", "-std=c++20", "-include", kGccBuiltinsFile};
  for (const std::string& folder : include_folders) arguments.push_back("-I" + folder);
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  const std::string_view builtins = kGccBuiltins;
  CXUnsavedFile files[] = {{path.c_str(), text_.data(), text_.size()}, {kGccBuiltinsFile, builtins.data(), builtins.size()}};
  CXTranslationUnit unit = nullptr;
  const CXErrorCode code = clang_parseTranslationUnit2(index_.get(), path.c_str(), pointers.data(), static_cast<int>(pointers.size()),
                                                       files, 2, CXTranslationUnit_None, &unit);
  if (code != CXError_Success) throw std::runtime_error(fmt::format("{}: libclang gives up with code {}", path, static_cast<int>(code)));
  unit_.reset(unit);
  refuse_errors(unit, path);
}

bool Source::holds(CXCursor cursor) const {
  const CXSourceRange extent = clang_getCursorExtent(cursor);
  if (!clang_Location_isFromMainFile(clang_getRangeStart(extent))) return false;
  CXFile spelled = nullptr;
  unsigned at = 0;
  clang_getSpellingLocation(clang_getRangeStart(extent), &spelled, nullptr, nullptr, &at);
  std::size_t expanded = 0;
  return clang_File_isEqual(position(clang_getRangeStart(extent), &expanded), spelled) && expanded == at;
}

Range Source::range(CXCursor cursor) const {
  const CXSourceRange extent = clang_getCursorExtent(cursor);
  Range range{};
  position(clang_getRangeStart(extent), &range.begin);
  position(clang_getRangeEnd(extent), &range.end);
  return range;
}

std::string spelling(CXCursor cursor) { return take(clang_getCursorSpelling(cursor)); }

std::string plain_type(CXType type) {
  std::string name = take(clang_getTypeSpelling(clang_getCanonicalType(type)));
  // Of a pointer, "const" in front belongs to what it points at.
  const bool value = type.kind != CXType_Pointer && clang_getCanonicalType(type).kind != CXType_Pointer;
  if (value && name.starts_with("const ")) name.erase(0, 6);
  return name;
}

std::vector<CXCursor> children(CXCursor cursor) {
  std::vector<CXCursor> found;
  clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        static_cast<std::vector<CXCursor>*>(data)->push_back(child);
        return CXChildVisit_Continue;
      },
      &found);
  return found;
}

CXCursor unwrapped(CXCursor cursor) {
  while (clang_getCursorKind(cursor) == CXCursor_UnexposedExpr) {
    const std::vector<CXCursor> inner = children(cursor);
    if (inner.size() != 1) break;
    cursor = inner.front();
  }
  return cursor;
}

}  // namespace assay
