// SPDX-License-Identifier: Apache-2.0
// Tests as CTest would have written them, without the XML: one per paragraph (paragraphs end in a zero byte). A paragraph's
// first line is the test's name, the second its status (0 to 3) and CTest's message, the rest its output.
#include "assay/report/error.h"
#include "property.h"
#include "report_properties.h"

namespace assay::report::report_target {
namespace {

std::string_view cut(std::string_view& text, char end) {
  const std::string_view piece = text.substr(0, text.find(end));
  text.remove_prefix(std::min(text.size(), piece.size() + 1));
  return piece;
}

TestCase read_test(std::string_view paragraph) {
  TestCase test;
  test.name = cut(paragraph, '\n');
  const std::string_view status = cut(paragraph, '\n');
  if (!status.empty()) test.status = static_cast<TestStatus>(status.front() & 3);
  if (!status.empty()) test.message = status.substr(1);
  test.output = paragraph;
  return test;
}

}  // namespace

FUZZ_TARGET(report) {
  report::JUnit junit{"some.xml", {}};
  for (std::string_view text = text_of(data, size); !text.empty();) junit.tests.push_back(read_test(cut(text, '\0')));
  if (!junit.tests.empty()) check_report(junit);
  return 0;
}

}  // namespace assay::report::report_target
