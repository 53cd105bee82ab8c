// SPDX-License-Identifier: Apache-2.0
// Details quote what untrusted candidates caused. Everything that was read passes through one of these before
// it is shown, whoever wrote it.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Spells out what could move a cursor, recolour a terminal or reorder text: C0, DEL, C1 (U+009B starts an
/// escape sequence as ESC [ does), bidirectional controls, line and paragraph separators, and bytes that are
/// no UTF-8.
/// "\x1b[31m" becomes "\\x1b[31m". Newlines and tabs become a space.
std::string printable(std::string_view text);

/// printable(), then & < > " ' as entities: safe in an element and in a quoted attribute.
std::string html(std::string_view text);

/// Characters, not bytes: what printable text takes of a terminal's line.
std::size_t width(std::string_view printable_text);

/// At most `columns` characters, the last of them "…" where something was cut.
std::string shorten(std::string_view printable_text, std::size_t columns);

}  // namespace assay
