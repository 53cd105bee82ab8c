// SPDX-License-Identifier: Apache-2.0
#include "launch_expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

namespace assay::spec {
namespace {

using StepKind = LaunchStep::Kind;

struct Outcome {
  std::int64_t value = 0;
  const char* wrong = nullptr;
};

constexpr const char* kOverflow = "overflow of 64 bits";

Outcome product(std::int64_t a, std::int64_t b) {
  Outcome outcome;
  if (__builtin_mul_overflow(a, b, &outcome.value)) outcome.wrong = kOverflow;
  return outcome;
}

bool divides(StepKind kind) {
  return kind == StepKind::divide || kind == StepKind::remainder || kind == StepKind::div_up || kind == StepKind::round_up ||
         kind == StepKind::whole_quotient;
}

/// a / b for those that divide.
Outcome division(StepKind kind, std::int64_t a, std::int64_t b) {
  if (b == 0) return {0, "division by zero"};
  if (b == -1) {  // the one quotient that may not fit 64 bits
    if (kind == StepKind::remainder) return {0};
    if (kind == StepKind::round_up) return {a};
    return product(a, b);
  }
  const std::int64_t quotient = a / b, rest = a % b;
  if (kind == StepKind::whole_quotient) return {quotient, rest == 0 ? nullptr : "a quotient that is not whole"};
  if (kind == StepKind::divide) return {quotient};
  if (kind == StepKind::remainder) return {rest};
  const std::int64_t up = quotient + (rest != 0 && (rest < 0) == (b < 0) ? 1 : 0);
  return kind == StepKind::div_up ? Outcome{up} : product(up, b);
}

Outcome applied(StepKind kind, std::int64_t a, std::int64_t b) {
  if (divides(kind)) return division(kind, a, b);
  Outcome outcome;
  switch (kind) {
    case StepKind::add:
      if (__builtin_add_overflow(a, b, &outcome.value)) outcome.wrong = kOverflow;
      return outcome;
    case StepKind::subtract:
      if (__builtin_sub_overflow(a, b, &outcome.value)) outcome.wrong = kOverflow;
      return outcome;
    case StepKind::multiply: return product(a, b);
    case StepKind::minimum: return {std::min(a, b)};
    default: return {std::max(a, b)};
  }
}

struct Function {
  std::string_view name;
  StepKind kind;
};
constexpr Function kFunctions[] = {
    {"min", StepKind::minimum}, {"max", StepKind::maximum}, {"div_up", StepKind::div_up}, {"round_up", StepKind::round_up}};

/// Recursive descent; each level leaves the steps of its operand at the end of `steps_`.
class ExpressionReader {
 public:
  ExpressionReader(LaunchTokens& tokens, const std::vector<std::string>& dims, const std::string& who, Quotient quotient)
      : tokens_(tokens), dims_(dims), who_(who), quotient_(quotient == Quotient::whole ? StepKind::whole_quotient : StepKind::divide) {}

  std::vector<LaunchStep> read() {
    read_sum();
    return std::move(steps_);
  }

 private:
  void read_sum() {
    const std::size_t left = steps_.size();
    read_product();
    while (tokens_.sees("+") || tokens_.sees("-")) {
      const LaunchToken sign = tokens_.take();
      const std::size_t right = steps_.size();
      read_product();
      append(sign.text == "+" ? StepKind::add : StepKind::subtract, sign.at, left, right);
    }
  }

  void read_product() {
    const std::size_t left = steps_.size();
    read_operand();
    while (tokens_.sees("*") || tokens_.sees("/") || tokens_.sees("%")) {
      const LaunchToken sign = tokens_.take();
      const std::size_t right = steps_.size();
      read_operand();
      append(sign.text == "*" ? StepKind::multiply : sign.text == "/" ? quotient_ : StepKind::remainder, sign.at, left, right);
    }
  }

  void read_operand() {
    const LaunchToken& token = tokens_.next();
    if (token.kind == LaunchToken::Kind::number) read_number();
    else if (is_function(token.text) && tokens_.after_next().text == "(") read_function();
    else if (token.kind == LaunchToken::Kind::word) read_dimension();
    else if (token.text == "(") read_nested();
    else tokens_.fail(who_, "a number, a dimension or '('");
  }

  void read_number() {
    const LaunchToken token = tokens_.take();
    std::int64_t value = 0;
    const char* const end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, value);
    if (error == std::errc::result_out_of_range)
      throw LaunchError(token.at, fmt::format("{}: a number beyond 64 bits. got: {}", who_, quotation(token.text)));
    if (error != std::errc() || stop != end)
      throw LaunchError(token.at, fmt::format("{}: numbers are decimal integers. got: {}", who_, quotation(token.text)));
    steps_.push_back({StepKind::number, token.at, value});
  }

  void read_dimension() {
    const LaunchToken token = tokens_.take();
    const auto dim = std::ranges::find(dims_, token.text);
    if (dim == dims_.end()) fail_unknown(token);
    steps_.push_back({StepKind::dimension, token.at, dim - dims_.begin()});
  }

  [[noreturn]] void fail_unknown(const LaunchToken& token) const {
    throw LaunchError(token.at, fmt::format("{}: unknown name in an expression. got: {}. known: {}{}min max div_up round_up", who_,
                                            quotation(token.text), fmt::join(dims_, " "), dims_.empty() ? "" : " "));
  }

  void read_nested() {
    enter();
    tokens_.take("(", who_);
    read_sum();
    tokens_.take(")", who_);
    --depth_;
  }

  void read_function() {
    enter();
    const LaunchToken name = tokens_.take();
    tokens_.take("(", who_);
    const std::size_t left = steps_.size();
    read_sum();
    tokens_.take(",", who_);
    const std::size_t right = steps_.size();
    read_sum();
    tokens_.take(")", who_);
    append(std::ranges::find(kFunctions, name.text, &Function::name)->kind, name.at, left, right);
    --depth_;
  }

  void enter() {
    constexpr int most = 64;
    if (++depth_ > most) throw LaunchError(tokens_.next().at, fmt::format("{}: an expression nested more than {} deep", who_, most));
  }

  /// The operation on the operands whose steps begin at `left` and `right`; of two numbers, its value.
  void append(StepKind kind, SourcePosition at, std::size_t left, std::size_t right) {
    const LaunchStep& last = steps_.back();
    const bool number = right + 1 == steps_.size() && last.kind == StepKind::number;
    if (number && last.value == 0 && divides(kind)) throw LaunchError(at, who_ + ": division by zero");
    if (!number || left + 1 != right || steps_[left].kind != StepKind::number) {
      steps_.push_back({kind, at, 0});
      return;
    }
    const Outcome outcome = applied(kind, steps_[left].value, last.value);
    if (outcome.wrong) throw LaunchError(at, fmt::format("{}: {}", who_, outcome.wrong));
    steps_.pop_back();
    steps_[left].value = outcome.value;
  }

  LaunchTokens& tokens_;
  const std::vector<std::string>& dims_;
  const std::string& who_;
  StepKind quotient_;
  std::vector<LaunchStep> steps_;
  int depth_ = 0;
};

/// " with C=3 N=7": the dimensions that the expression mentions; empty where it mentions none.
std::string mentioned(const LaunchExpression& expression, const DimValues& dims) {
  std::set<std::int64_t> indices;
  for (const LaunchStep& step : expression.steps)
    if (step.kind == StepKind::dimension) indices.insert(step.value);
  std::vector<std::string> parts;
  for (const std::int64_t index : indices) {
    const auto& value = dims.values[static_cast<std::size_t>(index)];
    parts.push_back(fmt::format("{}={}", dims.names[static_cast<std::size_t>(index)], value ? std::to_string(*value) : "?"));
  }
  return parts.empty() ? "" : fmt::format(" with {}", fmt::join(parts, " "));
}

std::int64_t dimension_of(const LaunchStep& step, const DimValues& dims, const std::string& who) {
  const auto index = static_cast<std::size_t>(step.value);
  if (!dims.values[index]) throw LaunchError(step.at, fmt::format("{}: the dimension '{}' has no value", who, dims.names[index]));
  return *dims.values[index];
}

}  // namespace

LaunchToken LaunchTokens::take() {
  const LaunchToken token = next();
  if (token.kind != LaunchToken::Kind::end) ++at_;
  return token;
}

bool LaunchTokens::take_if(std::string_view text) {
  if (!sees(text)) return false;
  take();
  return true;
}

void LaunchTokens::take(std::string_view text, const std::string& who) {
  if (!take_if(text)) fail(who, fmt::format("'{}'", text));
}

void LaunchTokens::fail(const std::string& who, std::string_view wanted) const {
  const bool end = next().kind == LaunchToken::Kind::end;
  throw LaunchError(next().at, fmt::format("{}: expected {}. got: {}", who, wanted,
                                           !end                  ? quotation(next().text)
                                           : next().text.empty() ? "its end"
                                                                 : "the block's end"));
}

std::string LaunchTokens::text_since(std::size_t begin) const {
  constexpr std::size_t most = 40;
  std::string text;
  for (std::size_t i = begin; i < at_ && text.size() <= most; ++i) {
    const std::string_view token = tokens_[i].text;
    const bool sign = std::string_view("+-*/%").find(token.front()) != std::string_view::npos;
    if (sign) text += ' ';
    text += token.substr(0, most + 1);
    if (sign || token == ",") text += ' ';
  }
  return text.size() > most ? text.substr(0, most - 3) + "..." : text;
}

bool is_function(std::string_view name) { return std::ranges::find(kFunctions, name, &Function::name) != std::end(kFunctions); }

LaunchExpression read_expression(LaunchTokens& tokens, const std::vector<std::string>& dims, const std::string& who, Quotient quotient) {
  const SourcePosition at = tokens.next().at;
  const std::size_t begin = tokens.position();
  std::vector<LaunchStep> steps = ExpressionReader(tokens, dims, who, quotient).read();
  return {at, tokens.text_since(begin), std::move(steps)};
}

DimValues values_of(const std::vector<std::string>& names, const Dims& dims) {
  DimValues values{names, {}};
  for (const std::string& name : names) {
    const auto found = dims.find(name);
    values.values.push_back(found == dims.end() ? std::nullopt : std::optional(found->second));
  }
  return values;
}

std::int64_t value_of(const LaunchExpression& expression, const DimValues& dims, const std::string& who) {
  std::vector<std::int64_t> stack;
  for (const LaunchStep& step : expression.steps) {
    if (step.kind == StepKind::number || step.kind == StepKind::dimension) {
      stack.push_back(step.kind == StepKind::number ? step.value : dimension_of(step, dims, who));
      continue;
    }
    const std::int64_t right = stack.back();
    stack.pop_back();
    const Outcome outcome = applied(step.kind, stack.back(), right);
    if (outcome.wrong)
      throw LaunchError(step.at, fmt::format("{}: {}. got: {}{}", who, outcome.wrong, expression.text, mentioned(expression, dims)));
    stack.back() = outcome.value;
  }
  return stack.back();
}

std::optional<std::int64_t> constant_value(const LaunchExpression& expression) {
  if (expression.steps.size() != 1 || expression.steps.front().kind != StepKind::number) return std::nullopt;
  return expression.steps.front().value;
}

std::string explained(const LaunchExpression& expression, const DimValues& dims, std::int64_t value) {
  if (expression.text == std::to_string(value)) return expression.text;
  return fmt::format("{} = {}{}", expression.text, value, mentioned(expression, dims));
}

}  // namespace assay::spec
