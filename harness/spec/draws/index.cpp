// SPDX-License-Identifier: Apache-2.0
// Integers that name elements of something else: indices, with repetition or without, with a number that stands for none; permutations.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "assay/spec/draw.h"

namespace assay::spec {
namespace {

enum class Distinct : std::uint8_t { no, all, in_rows };

Distinct distinct(const InputInit& init) {
  const auto found = init.names.find("distinct");
  if (found == init.names.end() || found->second == "false") return Distinct::no;
  return found->second == "rows" ? Distinct::in_rows : Distinct::all;
}

std::string index_promise(const TensorSpec& spec, const InputInit& init) {
  std::string text = fmt::format("every element is at least 0 and below {}", init.names.at("of"));
  const auto sentinel = init.numbers.find("sentinel");
  const bool has_sentinel = sentinel != init.numbers.end();
  if (has_sentinel) text += fmt::format(", or it is {}", sentinel->second);
  const char* others = has_sentinel ? "of the others " : "";
  if (distinct(init) == Distinct::all) text += fmt::format("; {}no two are equal", others);
  if (distinct(init) == Distinct::in_rows) text += fmt::format("; {}no two {}are equal", others, spec.shape.size() > 1 ? "of a row " : "");
  if (const auto sorted = init.numbers.find("sorted"); sorted != init.numbers.end() && sorted->second != 0)
    text += fmt::format("; {}none is less than the one before it", spec.shape.size() > 1 ? "in each row " : "");
  return text + ".";
}

std::string index_obstacle(const DrawnInput& input) {
  const std::int64_t range = input.extent("of"), rows = input.rows(), columns = input.columns();
  if (range < 1) return "there is nothing to index";
  const std::int64_t different = distinct(input.init) == Distinct::all       ? rows * columns
                                 : distinct(input.init) == Distinct::in_rows ? columns
                                                                             : 0;
  if (different > range) return fmt::format("{} distinct indices do not fit in [0, {})", different, range);
  const double share = input.number("share", 0.25), sentinel = input.number("sentinel", -1);
  if (!(share >= 0 && share <= 1)) return fmt::format("share must be 0 to 1, got {}", share);
  if (input.has("share") && !input.has("sentinel")) return "share is that of the sentinel, which is not given";
  if (input.flag("sorted") && input.has("sentinel")) return "sorted indices have no sentinel";
  if (sentinel >= 0 && sentinel < static_cast<double>(range)) return fmt::format("the sentinel {} is an index, too", sentinel);
  return "";
}

/// The first `count` of a shuffled deck, which stays shuffled for the next.
void deal(std::vector<std::int64_t>& deck, std::size_t count, RandomSource& random, std::vector<double>& dealt) {
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(deck[i], deck[i + random.below(deck.size() - i)]);
    dealt.push_back(static_cast<double>(deck[i]));
  }
}

std::vector<double> distinct_values(std::int64_t range, std::size_t rows, std::size_t columns, RandomSource& random) {
  std::vector<std::int64_t> deck(static_cast<std::size_t>(range));
  std::iota(deck.begin(), deck.end(), 0);
  std::vector<double> values;
  values.reserve(rows * columns);
  for (std::size_t row = 0; row < rows; ++row) deal(deck, columns, random, values);
  return values;
}

std::vector<double> draw_index(const DrawnInput& input, RandomSource& random) {
  const std::int64_t range = input.extent("of");
  const auto rows = static_cast<std::size_t>(input.rows()), columns = static_cast<std::size_t>(input.columns());
  std::vector<double> values;
  switch (distinct(input.init)) {
    case Distinct::all: values = distinct_values(range, 1, rows * columns, random); break;
    case Distinct::in_rows: values = distinct_values(range, rows, columns, random); break;
    case Distinct::no:
      values.resize(rows * columns);
      for (double& value : values) value = static_cast<double>(random.below(static_cast<std::uint64_t>(range)));
  }
  if (input.flag("sorted"))
    for (auto row = values.begin(); row != values.end(); row += static_cast<std::ptrdiff_t>(columns))
      std::sort(row, row + static_cast<std::ptrdiff_t>(columns));
  if (input.has("sentinel"))
    for (double& value : values)
      if (random.uniform() < input.number("share", 0.25)) value = input.number("sentinel", 0);
  return values;
}

std::string permutation_promise(const TensorSpec& spec, const InputInit&) {
  return fmt::format("{} 0, 1, 2, ..., each of them once, in any order.", spec.shape.size() > 1 ? "each row holds" : "holds");
}

std::vector<double> draw_permutation(const DrawnInput& input, RandomSource& random) {
  return distinct_values(input.columns(), static_cast<std::size_t>(input.rows()), static_cast<std::size_t>(input.columns()), random);
}

using Kind = DrawParameter::Kind;
const bool kIndex = define_draw({.name = "index",
                                 .types = {ElementClass::integer},
                                 .parameters = {{"of", Kind::extent, true},
                                                {"distinct", Kind::word, false, {"true", "false", "rows"}},
                                                {"sorted", Kind::flag},
                                                {"sentinel", Kind::number},
                                                {"share", Kind::number}},
                                 .promise = index_promise,
                                 .obstacle = index_obstacle,
                                 .draw = draw_index});
const bool kPermutation = define_draw({.name = "permutation",
                                       .types = {ElementClass::integer},
                                       .parameters = {},
                                       .promise = permutation_promise,
                                       .obstacle = [](const DrawnInput&) { return std::string(); },
                                       .draw = draw_permutation});

}  // namespace
}  // namespace assay::spec
