// SPDX-License-Identifier: Apache-2.0
#include "text_table.h"

#include <algorithm>

#include "assay/report/escape.h"

namespace assay::report {

std::string painted(const std::string& text, const std::string& colour, bool on) {
  return on && !colour.empty() ? "\x1b[" + colour + "m" + text + "\x1b[0m" : text;
}

TextTable::TextTable(std::vector<std::string> header, std::size_t left) : left_(left) {
  std::vector<Cell> row;
  for (std::string& text : header) row.push_back({std::move(text), "2"});
  rows_.push_back(std::move(row));
}

void TextTable::add(std::vector<Cell> row) {
  row.resize(rows_.front().size());
  rows_.push_back(std::move(row));
}

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> result(rows_.front().size(), 0);
  for (std::size_t column = 0; column < result.size(); ++column) {
    const bool filled = std::any_of(rows_.begin() + 1, rows_.end(), [&](const auto& row) { return !row[column].text.empty(); });
    for (const auto& row : rows_)
      if (filled) result[column] = std::max(result[column], width(row[column].text));
  }
  return result;
}

void TextTable::write_row(const std::vector<Cell>& row, const std::vector<std::size_t>& widths, std::ostream& out, bool colour) const {
  std::string line, padding;
  for (std::size_t column = 0; column < row.size(); ++column) {
    if (widths[column] == 0) continue;
    const std::string text = shorten(row[column].text, widths[column]);
    const std::string& paint = row[column].colour;
    const std::string fill(widths[column] - width(text), ' ');
    if (text.empty()) {
      padding += "  " + fill;
      continue;
    }
    const bool to_left = column < left_;
    line += padding + "  " + (to_left ? "" : fill) + painted(text, paint, colour);
    padding = to_left ? fill : "";
  }
  out << line << '\n';
}

void TextTable::write(std::ostream& out, bool colour, std::size_t line) const {
  auto all = widths();
  std::size_t total = 0;
  for (std::size_t column : all) total += column == 0 ? 0 : column + 2;
  std::size_t& name = all[left_ - 1];
  if (total > line) name -= std::min(total - line, name - std::min<std::size_t>(name, 6));
  for (const auto& row : rows_) write_row(row, all, out, colour);
}

}  // namespace assay::report
