// SPDX-License-Identifier: Apache-2.0
#include "assay/report/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <pugixml.hpp>
#include <sstream>

#include "assay/report/error.h"

namespace assay::report {

namespace {

constexpr std::string_view expected = "expected the JUnit XML that 'ctest --output-junit' writes";

TestStatus status_of(const pugi::xml_node& testcase, const std::string& file) {
  const std::string_view status = testcase.attribute("status").value();
  if (status == "run") return TestStatus::run;
  if (status == "fail") return TestStatus::fail;
  if (status == "notrun") return TestStatus::notrun;
  if (status == "disabled") return TestStatus::disabled;
  throw InputError(fmt::format("{}: {}, got status=\"{}\" for test '{}'; pass the file that ctest wrote", file, expected, status,
                               testcase.attribute("name").value()));
}

TestCase read_test(const pugi::xml_node& testcase, const std::string& file) {
  const auto reason = testcase.child("failure") ? testcase.child("failure") : testcase.child("skipped");
  return {testcase.attribute("name").value(), status_of(testcase, file), reason.attribute("message").value(),
          testcase.child("system-out").text().get()};
}

void read_suite(const pugi::xml_node& suite, JUnit& junit) {
  const std::size_t before = junit.tests.size();
  for (const auto& testcase : suite.children("testcase")) junit.tests.push_back(read_test(testcase, junit.file));
  const auto announced = suite.attribute("tests");
  const auto found = junit.tests.size() - before;
  if (!announced)
    throw InputError(fmt::format("{}: {}, got a <testsuite> without tests=\"...\"; pass the file that ctest wrote", junit.file, expected));
  if (announced.as_llong(-1) != static_cast<long long>(found))
    throw InputError(fmt::format("{}: it announces tests=\"{}\" but holds {}; it was cut off or edited, run ctest again", junit.file,
                                 announced.value(), found));
}

std::string well_formedness_message(std::string_view text, const pugi::xml_parse_result& result, const std::string& file) {
  const auto offset = std::min(text.size(), static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)));
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  return fmt::format("{}: {}, got XML that ends or breaks at line {} ({}); it was cut off, run ctest again", file, expected, line,
                     result.description());
}

}  // namespace

JUnit parse_junit(std::string_view text, std::string file) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(fmt::format("{}: {}, got an empty file; run ctest again, its disk may be full", file, expected));
  pugi::xml_document document;
  const auto result = document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) throw InputError(well_formedness_message(text, result, file));

  JUnit junit{std::move(file), {}};
  const auto root = document.document_element();
  if (root.next_sibling())
    throw InputError(fmt::format("{}: {}, got more than one root element; was another file appended to it?", junit.file, expected));
  if (std::strcmp(root.name(), "testsuites") == 0) {
    for (const auto& suite : root.children("testsuite")) read_suite(suite, junit);
  } else if (std::strcmp(root.name(), "testsuite") == 0) {
    read_suite(root, junit);
  } else {
    throw InputError(fmt::format("{}: {}, got <{}>; pass the file that ctest wrote", junit.file, expected, root.name()));
  }
  if (junit.tests.empty())
    throw InputError(fmt::format("{}: it holds no test; check the filters (-R, -L) that ctest was given", junit.file));
  return junit;
}

JUnit read_junit(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw InputError(fmt::format("{}: {}, got a directory; name the file", path.string(), expected));
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(fmt::format("{}: cannot be read ({}); check the path", path.string(), std::strerror(errno)));
  std::ostringstream text;
  text << in.rdbuf();
  return parse_junit(text.view(), path.string());
}

bool is_truncated(std::string_view output) {
  // CTest >= 3.24 (head, middle or tail), and the sentence of those before.
  return output.find("[This part of the test output was removed since it exceeds") != std::string_view::npos ||
         output.find("The rest of the test output was removed since it exceeds") != std::string_view::npos;
}

}  // namespace assay::report
