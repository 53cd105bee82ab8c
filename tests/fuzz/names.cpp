// SPDX-License-Identifier: Apache-2.0
// Test names, and text on its way to a terminal or a page.
#include "assay/record/test_name.h"
#include "assay/report/escape.h"
#include "markup.h"
#include "property.h"
#include "shown.h"

namespace assay::names_target {
namespace {

void check_name(const std::string& text) {
  const auto name = record::parse_test_name(text);
  if (!name) return;
  const auto& [sample, stage] = *name;
  require(sample.text() + "." + std::string(record::name(stage)) == text, "a test's name is spelt as it was read", text);
  require(sample.index >= 0 && sample.index <= 999, "a sample's number has three digits", text);
  require(!record::is_own_fixture(text), "a test is a candidate's or our own", text);
}

void check_escape(const std::string& text) {
  using namespace report;
  using record::printable, record::printable_lines;
  const std::string shown = printable(text);
  require(dangerous(shown).empty() && shown.find_first_of("\n\t") == shown.npos, "printable text is one line that does nothing", shown);
  require(dangerous(printable_lines(text)).empty(), "printable lines do nothing", text);
  require(printable(shown) == shown, "what is printable stays as it is", shown);
  require(width(shown) <= shown.size(), "text has no more characters than bytes", shown);
  for (const std::size_t columns : {1, 7, 80}) {
    const std::string cut = shorten(shown, columns);
    require(width(cut) <= columns, "shortened text fits", cut);
    require(printable(cut) == cut, "shortened text is cut between characters", cut);
  }
  require(markup_fault("<p title=\"" + html(text) + "\">" + html(text) + "</p>").empty(), "escaped text is safe in a page", text);
}

}  // namespace

FUZZ_TARGET(names) {
  const std::string text(assay::text_of(data, size));
  check_name(text);
  check_escape(text);
  return 0;
}

}  // namespace assay::names_target
