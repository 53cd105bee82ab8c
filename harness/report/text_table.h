// SPDX-License-Identifier: Apache-2.0
// Columns that line up in a terminal.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace assay::report {

struct Cell {
  std::string text;
  std::string colour;  ///< SGR parameters such as "32"; empty for none
};

class TextTable {
 public:
  /// The first `left` columns are aligned to the left, all others to the right.
  TextTable(std::vector<std::string> header, std::size_t left);

  void add(std::vector<Cell> row);

  /// Two spaces of indent, two between columns; columns that are empty throughout are left out. Where the
  /// table is wider than `line`, the last of the left columns is cut.
  void write(std::ostream& out, bool colour, std::size_t line = 100) const;

 private:
  std::vector<std::size_t> widths() const;
  void write_row(const std::vector<Cell>& row, const std::vector<std::size_t>& widths, std::ostream& out, bool colour) const;

  std::vector<std::vector<Cell>> rows_;
  std::size_t left_;
};

/// `text` in a colour, or as it is where colour is off or empty.
std::string painted(const std::string& text, const std::string& colour, bool on);

}  // namespace assay::report
