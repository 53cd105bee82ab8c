// SPDX-License-Identifier: Apache-2.0
#include "assay/compile/compile_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::compile {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view text) {
  try {
    parse_compilation(text, "x.compile.json");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(StoredCompilation, ComesBackAsItWas) {
  record::Record record;
  record.verdict = record::Verdict::compile_error;
  record.detail = "why";
  record.device = {"Portable Computing Language", "cpu", "1.2", "3.1", "cpu", "pocl/cpu", 4096, 524288, {4096, 4096, 4096}, {}, {}};
  const StoredCompilation stored =
      parse_compilation(to_text({record, "0123", "x.cpp:1: error\n", "4567", "/* launch */", {"/lib/a.so"}}), "x.compile.json");
  EXPECT_EQ(stored.record, record);
  EXPECT_EQ(stored.source, "0123");
  EXPECT_EQ(stored.diagnostics, "x.cpp:1: error\n");
}

TEST(StoredCompilation, IsRefusedByNameWhereDamaged) {
  for (const char* text :
       {"", "{", "[]", "null", R"({"record": [], "source": "", "diagnostics": ""})", R"({"record": {}, "source": "", "diagnostics": ""})",
        R"({"record": {"verdict": 1}, "source": "", "diagnostics": ""})",
        R"({"record": {"verdict": "MAYBE"}, "source": "", "diagnostics": ""})",
        R"({"record": {"verdict": "PASS"}, "source": 1, "diagnostics": ""})"})
    EXPECT_THAT(refusal(text), HasSubstr("x.compile.json is no result of a compilation")) << text;
}

TEST(FirstError, IsTheLineOfTheGravestMark) {
  EXPECT_EQ(first_error("a.cpp: warning: w\na.cpp:2: error: e\n"), "a.cpp:2: error: e");
  EXPECT_EQ(first_error("a: error: e\nld: undefined reference to `f'\nx"), "ld: undefined reference to `f'");
  EXPECT_EQ(first_error("fatal at the end"), "fatal at the end");
  EXPECT_EQ(first_error(""), "the compiler failed");
  EXPECT_EQ(first_error("error:" + std::string(1000, 'x')).size(), 300u);
}

}  // namespace
}  // namespace assay::compile
