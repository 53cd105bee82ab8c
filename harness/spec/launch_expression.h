// SPDX-License-Identifier: Apache-2.0
// Expressions of the launch block: reading, and the value at given dimensions.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/spec/launch.h"
#include "launch_source.h"

namespace assay::spec {

/// The tokens of a block, one after the other.
class LaunchTokens {
 public:
  explicit LaunchTokens(std::span<const LaunchToken> tokens) : tokens_(tokens) {}

  const LaunchToken& next() const { return tokens_[at_]; }
  const LaunchToken& after_next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  /// The next one; the end stays where it is.
  LaunchToken take();
  bool sees(std::string_view text) const { return next().text == text; }
  /// Takes the next token if it is `text`.
  bool take_if(std::string_view text);
  /// Takes the next token, which has to be `text`; `who` is what is being read.
  void take(std::string_view text, const std::string& who);
  /// Throws: the next token is not what was `wanted`.
  [[noreturn]] void fail(const std::string& who, std::string_view wanted) const;
  /// Of the tokens that were taken since `begin` (a size() of before), as one text.
  std::string text_since(std::size_t begin) const;
  std::size_t position() const { return at_; }

 private:
  std::span<const LaunchToken> tokens_;
  std::size_t at_ = 0;
};

/// What a / b is: rounded towards zero, or an error where it is not whole.
enum class Quotient { truncated, whole };

LaunchExpression read_expression(LaunchTokens& tokens, const std::vector<std::string>& dims, const std::string& who,
                                 Quotient quotient = Quotient::truncated);

/// Whether `name` is a function of expressions where it stands before a round bracket.
bool is_function(std::string_view name);

/// By index of a dimension; empty where it has no value.
struct DimValues {
  const std::vector<std::string>& names;
  std::vector<std::optional<std::int64_t>> values;
};
DimValues values_of(const std::vector<std::string>& names, const Dims& dims);

/// Throws LaunchError that begins with `who`.
std::int64_t value_of(const LaunchExpression& expression, const DimValues& dims, const std::string& who);

/// The value of an expression without dimensions.
std::optional<std::int64_t> constant_value(const LaunchExpression& expression);

/// "N + 1 = 8 with N=7"; "8" of a constant.
std::string explained(const LaunchExpression& expression, const DimValues& dims, std::int64_t value);

}  // namespace assay::spec
