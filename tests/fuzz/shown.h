// SPDX-License-Identifier: Apache-2.0
// What must never reach a person's screen, by its bytes: written apart from the code that takes it out.
#pragma once

#include <string_view>

namespace assay {

/// The first sequence in `text` that moves a cursor, reorders or hides text; empty where there is none. Newlines and tabs are none.
inline std::string_view dangerous(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t k) { return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u; };
    const unsigned first = byte(0), second = byte(1), third = byte(2);
    const bool control =
        (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f || (first == 0xC2 && second >= 0x80 && second < 0xA0);
    const bool mark = (first == 0xE2 && second == 0x80 && ((third >= 0x8B && third <= 0x8F) || (third >= 0xA8 && third <= 0xAE))) ||
                      (first == 0xE2 && second == 0x81 && third >= 0xA0 && third <= 0xAF) ||  // U+2060..206F
                      (first == 0xD8 && second == 0x9C) || (first == 0xEF && second == 0xBB && third == 0xBF) ||
                      (first == 0xEF && second == 0xBF && third >= 0xBE) || (first == 0xF3 && second == 0xA0);
    const bool no_text = first == 0xC0 || first == 0xC1 || first > 0xF4;
    if (control || mark || no_text) return text.substr(i, 4);
  }
  return "";
}

}  // namespace assay
