// SPDX-License-Identifier: Apache-2.0
// Sparse matrices and paged memory: tables whose rows are as long as another input says.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "assay/spec/draw.h"

namespace assay::spec {
namespace {

std::string columns_promise(const TensorSpec& spec, const InputInit& init) {
  const std::string& rows = init.names.at("rows");
  return fmt::format(
      "every element is at least 0 and below {2}; {0}[{1}[r]] to {0}[{1}[r + 1] - 1] are those of row r, in increasing order.", spec.name,
      rows, init.names.at("of"));
}

std::string columns_obstacle(const DrawnInput& input) {
  const DrawnInput& rows = *input.related.at("rows");
  if (input.shape.size() != 1) return "must have one axis";
  if (!rows.has("of") || !rows.flag("end", true)) return fmt::format("'{}' must say 'of', and have its end", rows.spec.name);
  const std::int64_t total = rows.extent("of"), columns = input.extent("of");
  if (total != input.columns()) return fmt::format("has {} elements, and '{}' ends with {}", input.columns(), rows.spec.name, total);
  const std::int64_t most = rows.has("most") ? std::min(total, rows.extent("most")) : total;
  if (most > columns) return fmt::format("a row may have {} elements of {} columns. '{}' can say 'most'", most, columns, rows.spec.name);
  return "";
}

/// Of n numbers below b + 1 - n, sorted, the i-th and i more are n different ones below b.
std::vector<double> draw_columns(const DrawnInput& input, RandomSource& random) {
  const std::vector<double>& rows = input.related.at("rows")->values;
  const auto columns = static_cast<std::uint64_t>(input.extent("of"));
  std::vector<double> values(static_cast<std::size_t>(input.columns()));
  for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
    const auto row = std::span(values).subspan(static_cast<std::size_t>(rows[r]), static_cast<std::size_t>(rows[r + 1] - rows[r]));
    for (double& value : row) value = static_cast<double>(random.below(columns + 1 - row.size()));
    std::ranges::sort(row);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] += static_cast<double>(i);
  }
  return values;
}

std::string pages_promise(const TensorSpec& spec, const InputInit& init) {
  const auto sentinel = init.numbers.find("sentinel");
  return fmt::format(
      "row b begins with as many pages as {0}[b] elements take, {1} to a page: numbers that are at least 0 and below {2}, of which "
      "no two in all of `{4}` are equal. The rest of the row is {3}.",
      init.names.at("lengths"), init.names.at("page"), init.names.at("of"), sentinel == init.numbers.end() ? -1 : sentinel->second,
      spec.name);
}

std::string pages_obstacle(const DrawnInput& input) {
  const DrawnInput& lengths = *input.related.at("lengths");
  if (input.shape.size() != 2 || lengths.shape.size() != 1 || lengths.columns() != input.rows())
    return fmt::format("must have two axes, the first as long as '{}'", lengths.spec.name);
  const std::int64_t page = input.extent("page"), most = (lengths.extent("of") + page - 1) / page;
  if (most > input.columns())
    return fmt::format("a row has {} pages, and {} elements take {}", input.columns(), lengths.extent("of"), most);
  if (input.rows() * most > input.extent("of"))
    return fmt::format("{} rows may need {} pages, and there are {}", input.rows(), input.rows() * most, input.extent("of"));
  return "";
}

std::vector<double> draw_pages(const DrawnInput& input, RandomSource& random) {
  std::vector<double> pages(static_cast<std::size_t>(input.extent("of")));
  std::iota(pages.begin(), pages.end(), 0.0);
  std::size_t taken = 0;
  const auto columns = static_cast<std::size_t>(input.columns());
  const auto page = static_cast<double>(input.extent("page"));
  std::vector<double> table;
  for (const double length : input.related.at("lengths")->values) {
    const std::size_t begin = table.size();
    for (double left = length; left > 0; left -= page, ++taken) {
      std::swap(pages[taken], pages[taken + random.below(pages.size() - taken)]);
      table.push_back(pages[taken]);
    }
    table.resize(begin + columns, input.number("sentinel", -1));
  }
  return table;
}

using Kind = DrawParameter::Kind;
const bool kColumns = define_draw({.name = "csr_columns",
                                   .types = {ElementClass::integer},
                                   .parameters = {{"rows", Kind::input, true, {"offsets"}}, {"of", Kind::extent, true}},
                                   .promise = columns_promise,
                                   .obstacle = columns_obstacle,
                                   .draw = draw_columns});
const bool kPages = define_draw({.name = "page_table",
                                 .types = {ElementClass::integer},
                                 .parameters = {{"of", Kind::extent, true},
                                                {"lengths", Kind::input, true, {"lengths"}},
                                                {"page", Kind::extent, true},
                                                {"sentinel", Kind::number}},
                                 .promise = pages_promise,
                                 .obstacle = pages_obstacle,
                                 .draw = draw_pages});

}  // namespace
}  // namespace assay::spec
