// SPDX-License-Identifier: Apache-2.0
// Text that others shaped, on its way to people: the one place that says what may be shown as it is.
#pragma once

#include <string>
#include <string_view>

namespace assay::record {

/// Spells out what could move a cursor, recolour a terminal, reorder text or hide in it: C0, DEL, C1 (U+009B starts an escape
/// sequence as ESC [ does), bidirectional controls, line and paragraph separators, zero-width and other format characters,
/// characters that XML forbids, and bytes that are no UTF-8. "\x1b[31m" becomes "\\x1b[31m". Newlines and tabs become a space.
std::string printable(std::string_view text);

/// The same, but newlines (also "\r\n") and tabs stay: for a text of several lines.
std::string printable_lines(std::string_view text);

/// At most `bytes` of `text` of UTF-8, cut between two characters; "..." is the end of one that was cut.
std::string cut_to(std::string_view text, std::size_t bytes);

}  // namespace assay::record
