// SPDX-License-Identifier: Apache-2.0
// Pieces of C++ as text.
#pragma once

#include <string>
#include <string_view>

namespace assay {

std::string trimmed(std::string_view text);
/// Trimmed, and each run of white space one space.
std::string collapsed(std::string_view text);
/// In parentheses unless it is a single name or number.
std::string operand(std::string_view text);
/// "7u" becomes "8u", "n" becomes "n + 1".
std::string one_more(std::string_view text);

}  // namespace assay
