// SPDX-License-Identifier: Apache-2.0
// What surrounds an answer: reasoning, the chat's own tokens, line ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::generate {

/// `text` without reasoning, chat tokens, a byte order mark and carriage returns. What went is told to `notes`.
std::string answer_alone(std::string_view text, std::vector<std::string>& notes);

}  // namespace assay::generate
