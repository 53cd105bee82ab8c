// SPDX-License-Identifier: Apache-2.0
// What C, C++, CUDA or OpenCL text defines, by tokens and braces: enough to tell a kernel from a test program, and to take one out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::spec {

enum class TokenKind { end, word, string, mark, comment, directive };

/// From `begin` to `end` of the text that was scanned.
struct Token {
  TokenKind kind = TokenKind::end;
  std::size_t begin = 0, end = 0;
};

/// The text's tokens in their order, up to the end. A directive is a whole line, with those that a backslash joins to it.
std::vector<Token> tokens_of(std::string_view text);

/// A function outside of other functions and classes. TEST(A, B) { ... } is one called TEST; so is BENCHMARK(a);
struct Definition {
  std::string_view name;
  std::size_t begin = 0, end = 0;  ///< from its first token to behind its last brace
  std::size_t body = 0;            ///< its first brace
  bool complete = true;            ///< false: the text ends within it
};

struct SourceScan {
  std::vector<Definition> definitions;
  std::vector<std::string_view> includes;  ///< whole #include lines
  bool launch_block = false;               ///< there is a comment that begins with "launch"

  bool defines(std::string_view name) const;
};

/// Of GoogleTest, Google Benchmark, Catch2 and Boost.Test.
bool is_test_macro(std::string_view name);

/// Views into `source`, which must outlive them. Of #if ... #else the first part counts.
SourceScan scan_source(std::string_view source);

}  // namespace assay::spec
