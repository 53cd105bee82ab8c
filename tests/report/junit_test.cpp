// SPDX-License-Identifier: Apache-2.0
#include "assay/report/junit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/report/error.h"

namespace assay::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(std::string_view text) {
  try {
    parse_junit(text, "some.xml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// As CTest 3.25.1 writes it, tabs and all.
constexpr const char* of_ctest_3_25 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)"
	tests="6"
	failures="2"
	disabled="1"
	skipped="2"
	hostname=""
	time="1"
	timestamp="2026-11-21T02:23:38"
	>
	<testcase name="ok" classname="ok" time="0.00181433" status="run">
		<system-out>assay: {"a":"&lt;b&gt;&amp;amp;"}
esc [NON-XML-CHAR-0x1B][31mred ]]&gt; end
</system-out>
	</testcase>
	<testcase name="failed" classname="failed" time="0.00120316" status="fail">
		<failure message=""/>
		<system-out>assay: {}
</system-out>
	</testcase>
	<testcase name="dependent" classname="dependent" time="0" status="notrun">
		<skipped message="Fixture dependency failed"/>
		<system-out>Failed test dependencies: failed</system-out>
	</testcase>
	<testcase name="off" classname="off" time="0" status="disabled">
		<system-out>Disabled</system-out>
	</testcase>
	<testcase name="missing" classname="missing" time="0" status="notrun">
		<skipped message="Unable to find executable"/>
		<system-out>Unable to find executable: /nowhere/prog</system-out>
	</testcase>
	<testcase name="regex" classname="regex" time="0.001562" status="fail">
		<failure message="Required regular expression not found. Regex=[nope
]"/>
		<system-out></system-out>
	</testcase>
</testsuite>
)xml";

/// CTest 4 adds labels as a property and says how a test failed.
constexpr const char* of_ctest_4 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="2" failures="1" disabled="0" skipped="0" hostname="" time="1" timestamp="2026-11-21T02:24:13">
	<testcase name="ok" classname="ok" time="0.001" status="run">
		<properties>
			<property name="cmake_labels" value="x;y"/>
		</properties>
		<system-out>assay: {}</system-out>
	</testcase>
	<testcase name="slow" classname="slow" time="1.00414" status="fail">
		<failure message="Timeout"/>
		<properties/>
		<system-out></system-out>
	</testcase>
</testsuite>
)xml";

TEST(JUnit, ReadsWhatCTest325Writes) {
  const JUnit junit = parse_junit(of_ctest_3_25, "some.xml");
  ASSERT_EQ(junit.tests.size(), 6u);
  EXPECT_EQ(junit.tests[0].status, TestStatus::run);
  EXPECT_EQ(junit.tests[0].output, "assay: {\"a\":\"<b>&amp;\"}\nesc [NON-XML-CHAR-0x1B][31mred ]]> end\n");
  EXPECT_EQ(junit.tests[1].status, TestStatus::fail);
  EXPECT_EQ(junit.tests[2].status, TestStatus::notrun);
  EXPECT_EQ(junit.tests[2].message, "Fixture dependency failed");
  EXPECT_EQ(junit.tests[2].output, "Failed test dependencies: failed");
  EXPECT_EQ(junit.tests[3].status, TestStatus::disabled);
  EXPECT_EQ(junit.tests[5].name, "regex");
}

TEST(JUnit, ReadsWhatCTest4Writes) {
  const JUnit junit = parse_junit(of_ctest_4, "some.xml");
  ASSERT_EQ(junit.tests.size(), 2u);
  EXPECT_EQ(junit.tests[0].output, "assay: {}");
  EXPECT_EQ(junit.tests[1].message, "Timeout");
}

TEST(JUnit, ReadsSeveralSuitesUnderOneRoot) {
  const JUnit junit = parse_junit(
      "<testsuites><testsuite tests='1'><testcase name='a' status='run'/></testsuite>"
      "<testsuite tests='1'><testcase name='b' status='run'/></testsuite></testsuites>",
      "some.xml");
  EXPECT_EQ(junit.tests.size(), 2u);
}

TEST(JUnit, RefusesEveryCutOfAFile) {
  const std::string whole = of_ctest_3_25;
  const std::size_t end = whole.rfind('>');
  for (std::size_t length = 0; length <= end; ++length)
    EXPECT_THAT(refusal(whole.substr(0, length)), HasSubstr("some.xml: expected the JUnit XML that 'ctest --output-junit' writes"))
        << "cut after " << length << " bytes";
}

TEST(JUnit, SaysWhereAFileBreaks) {
  const std::string whole = of_ctest_3_25;
  EXPECT_THAT(refusal(whole.substr(0, whole.find("</system-out>") + 3)), AllOf(HasSubstr("line 14"), HasSubstr("run ctest again")));
}

TEST(JUnit, RefusesAnEmptyFile) {
  EXPECT_THAT(refusal(""), HasSubstr("got an empty file"));
  EXPECT_THAT(refusal(" \n\t"), HasSubstr("got an empty file"));
}

TEST(JUnit, RefusesForeignDocuments) {
  EXPECT_THAT(refusal("<html><body/></html>"), HasSubstr("got <html>"));
  EXPECT_THAT(refusal("{\"tests\": []}"), HasSubstr("some.xml: expected the JUnit XML"));
  EXPECT_THAT(refusal("<testsuite><testcase name='a' status='run'/></testsuite>"), HasSubstr("without tests="));
  EXPECT_THAT(refusal("<testsuite tests='1'><testcase name='a' status='passed'/></testsuite>"), HasSubstr("status=\"passed\""));
  EXPECT_THAT(refusal(std::string(of_ctest_4) + "<testsuite tests='0'/>"), HasSubstr("more than one root element"));
}

TEST(JUnit, RefusesACountThatDoesNotMatch) {
  EXPECT_THAT(refusal("<testsuite tests='3'><testcase name='a' status='run'/></testsuite>"),
              HasSubstr("announces tests=\"3\" but holds 1"));
  EXPECT_THAT(refusal("<testsuite tests='many'><testcase name='a' status='run'/></testsuite>"), HasSubstr("but holds 1"));
}

TEST(JUnit, RefusesARunWithoutTests) { EXPECT_THAT(refusal("<testsuite tests='0'/>"), HasSubstr("it holds no test")); }

TEST(JUnit, RefusesWhatIsNoFile) {
  EXPECT_THROW(read_junit("no/such.xml"), InputError);
  EXPECT_THROW(read_junit("."), InputError);
}

TEST(JUnit, DoesNotExpandEntities) {
  const JUnit junit = parse_junit(
      "<!DOCTYPE t [<!ENTITY e SYSTEM 'file:///etc/hostname'>]>"
      "<testsuite tests='1'><testcase name='a' "
      "status='run'><system-out>&e;</system-out></testcase></testsuite>",
      "some.xml");
  EXPECT_EQ(junit.tests[0].output, "&e;");
}

TEST(JUnit, KnowsItsTruncationMarks) {
  EXPECT_TRUE(
      is_truncated("assay: {\"x\n[This part of the test output was removed since it exceeds the threshold of "
                   "1024 bytes.]\n"));
  EXPECT_TRUE(is_truncated("...\nThe rest of the test output was removed since it exceeds the threshold of 1024 bytes.\n"));
  EXPECT_FALSE(is_truncated("assay: {}\n"));
}

}  // namespace
}  // namespace assay::report
