// SPDX-License-Identifier: Apache-2.0
// A record on its way to CTest's standard output, which CTest interprets.
#pragma once

#include <string>
#include <string_view>

#include "assay/record/record.h"

namespace assay::record {

/// What opens the line of a record.
inline constexpr std::string_view record_prefix = "assay: ";
/// What opens the line of a timing canary, in its fixture's output.
inline constexpr std::string_view canary_prefix = "canary: ";

/// The record as JSON in one line of ASCII without '<': nothing in it can be taken for CTest's markup.
std::string record_line(const Record& record);

/// Prints the record as the first line, then `text`. CTest finds nothing in it that it would interpret.
/// Throws std::runtime_error where they do not get out.
void print_result(const Record& record, const std::string& text);

/// printable_lines(text), in which CTest finds no markup of its own (<CTestMeasurement..., <DartMeasurement...) either.
std::string harmless(const std::string& text);

}  // namespace assay::record
