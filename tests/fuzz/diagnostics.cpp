// SPDX-License-Identifier: Apache-2.0
// What a compiler or a candidate said, on its way to CTest's standard output.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "assay/compile/compile_record.h"
#include "assay/record/output.h"
#include "property.h"
#include "shown.h"

namespace assay::diagnostics_target {
namespace {

using compile::first_error, compile::parse_compilation, compile::read_diagnostics, compile::StoredCompilation, compile::to_text;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// What CTest looks for in the output of a test, CMake's cmCTestTestHandler.
void check_harmless(const std::string& text) {
  for (const char* markup : {"<ctest", "</ctest", "<dart", "</dart"})
    require(lower(text).find(markup) == std::string::npos, "CTest finds nothing to interpret", text);
  require(dangerous(text).empty(), "nothing is left that moves, reorders or hides text", text);
}

void check_first_error(const std::string& text) {
  const std::string line = first_error(text);
  require(!line.empty(), "there is always a reason", text);
  require(line.size() <= 300 && line.find('\n') == std::string::npos, "a reason is one short line", line);
  require(line == "the compiler failed" || text.find(line) != std::string::npos, "a reason is quoted", line);
}

void check_record(const std::string& text) {
  record::Record record;
  set_verdict(record, record::Verdict::compile_error, text);
  require(record.detail.size() <= 2000 && dangerous(record.detail).empty(), "a detail is short, and safe to show", record.detail);
  record.errors.emplace().where = text;
  const std::string line = record_line(record);
  for (const char c : line) require(c >= 0x20 && c < 0x7f && c != '<', "a record is one line of ASCII without '<'", line);
  const record::Record back = record::parse_record(line);
  require(back.verdict == record::Verdict::compile_error, "a record is read as it was written", line);
  require(record_line(back) == line, "a record comes back as it was", line);
}

void check_stored(const std::string& text) {
  record::Record record;
  record.detail = text;
  const std::string stored = to_text({record, "0123", text, "4567", text, {}});
  const StoredCompilation back = parse_compilation(stored, "x.compile.json");
  require(to_text(back) == stored, "a stored compilation comes back as it was", stored);
}

void check_read_back(const std::string& text) {
  constexpr std::size_t kMost = 64;
  const int fd = memfd_create("diagnostics", MFD_CLOEXEC);
  if (fd < 0) return;
  const bool whole = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const std::string read = read_diagnostics(fd, kMost);
  close(fd);
  require(whole && read.starts_with(text.substr(0, kMost)), "diagnostics are read from their beginning", read);
  require(text.size() <= kMost ? read.size() == text.size() : read.find("bytes of diagnostics") != std::string::npos,
          "diagnostics that are cut say so", read);
}

}  // namespace

FUZZ_TARGET(diagnostics) {
  using record::harmless;
  const std::string text(text_of(data, size)), clean = harmless(text);
  check_harmless(clean);
  require(harmless(clean) == clean, "what is harmless stays as it is", clean);
  check_first_error(text);
  check_record(text);
  check_stored(text);
  check_read_back(text);
  return 0;
}

}  // namespace assay::diagnostics_target
