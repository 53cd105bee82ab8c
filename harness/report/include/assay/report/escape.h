// SPDX-License-Identifier: Apache-2.0
// Details quote what untrusted candidates caused. Everything that was read passes through one of these before
// it is shown, whoever wrote it.
#pragma once

#include <string>
#include <string_view>

#include "assay/record/printable.h"

namespace assay::report {

/// printable(), then & < > " ' as entities: safe in an element and in a quoted attribute.
std::string html(std::string_view text);

/// Characters, not bytes: what printable text takes of a terminal's line.
std::size_t width(std::string_view printable_text);

/// At most `columns` characters, the last of them "…" where something was cut.
std::string shorten(std::string_view printable_text, std::size_t columns);

}  // namespace assay::report
