// SPDX-License-Identifier: Apache-2.0
// The four ways a Summary is written down, and how a number is spelt in those that people read.
#pragma once

#include <ostream>
#include <string>

#include "assay/report/summary.h"

namespace assay::report {

struct TextStyle {
  bool colour = false;
  By by = By::category;
};

/// For a terminal of 100 columns. Control characters in anything that was read are spelt out.
void write_text(const Summary& summary, const TextStyle& style, std::ostream& out);

/// One self-contained page: no script, no external resource.
void write_html(const Summary& summary, std::ostream& out);

/// RFC 4180, one line per sample. Text that a spreadsheet would take for a formula is prefixed with an
/// apostrophe.
void write_csv(const Summary& summary, std::ostream& out);

/// See report.schema.json.
void write_json(const Summary& summary, std::ostream& out);

/// "81.2%" or "3.21x"; "n<k", "not run" or "-" where there is no value.
std::string spell(const Column& column, const Estimate& estimate);
/// "M=8,N=3: 1.23x [1.20, 1.26]".
std::string spell(const record::ShapeTiming& shape);
/// "[70.9, 88.3]", in the unit of spell(); empty where there is none.
std::string spell_interval(const Column& column, const Estimate& estimate);

}  // namespace assay::report
