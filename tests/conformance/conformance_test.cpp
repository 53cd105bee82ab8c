// SPDX-License-Identifier: Apache-2.0
// The conformance runner finds what it should find.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "comparison.h"
#include "scope.h"
#include "temporary_folder.h"

namespace assay {
namespace {

using spec::ElementType;

oracle::Value<double> reals(ElementType type, std::vector<double> elements) {
  oracle::Tensor<double> tensor({static_cast<std::int64_t>(elements.size())});
  std::copy(elements.begin(), elements.end(), tensor.begin());
  return {type, tensor};
}

spec::ConstantTensor expected(ElementType type, std::vector<double> elements) {
  return {type, {static_cast<std::int64_t>(elements.size())}, std::move(elements), {}};
}

TEST(RoundedTo, HalvesTieToEvenAndOverflow) {
  EXPECT_EQ(rounded_to(ElementType::f16, 2049), 2048);
  EXPECT_EQ(rounded_to(ElementType::f16, 2051), 2052);
  EXPECT_EQ(rounded_to(ElementType::f16, -65519), -65504);
  EXPECT_EQ(rounded_to(ElementType::f16, 65520), HUGE_VAL);
  EXPECT_EQ(rounded_to(ElementType::f16, 0x1p-24), 0x1p-24);  // the smallest subnormal
  EXPECT_EQ(rounded_to(ElementType::f16, 0x1p-26), 0);
  EXPECT_EQ(rounded_to(ElementType::bf16, 257), 256);
  EXPECT_EQ(rounded_to(ElementType::f32, 1 + 0x1p-30), 1);
}

TEST(Difference, SeesTypeShapeAndElement) {
  const auto f32 = ElementType::f32;
  EXPECT_EQ(difference(reals(f32, {1, 2}), expected(f32, {1, 2.000001}), {1e-5, 0}), std::nullopt);
  EXPECT_EQ(difference(reals(f32, {1, 2}), expected(f32, {1, 2.1}), {1e-5, 0}), "2 at [1], expected 2.1");
  EXPECT_EQ(difference(reals(f32, {1}), expected(ElementType::f64, {1}), {}), "type float, expected double");
  EXPECT_EQ(difference(reals(f32, {1}), expected(f32, {1, 2}), {}), "shape [1], expected [2]");
}

TEST(Difference, NaNAgreesWithNaNAlone) {
  const auto f32 = ElementType::f32;
  const double nan = std::nan("");
  EXPECT_EQ(difference(reals(f32, {nan}), expected(f32, {nan}), {}), std::nullopt);
  EXPECT_NE(difference(reals(f32, {nan}), expected(f32, {1}), {1, 1}), std::nullopt);
  EXPECT_NE(difference(reals(f32, {1}), expected(f32, {nan}), {1, 1}), std::nullopt);
  EXPECT_NE(difference(reals(f32, {HUGE_VAL}), expected(f32, {-HUGE_VAL}), {1, 1}), std::nullopt);
}

TEST(Difference, IntegersAreExact) {
  oracle::Integers tensor({1});
  tensor[0] = 4;
  const oracle::Value<double> got{ElementType::i32, tensor};
  EXPECT_EQ(difference(got, {ElementType::i32, {1}, {}, {4}}, {1, 1}), std::nullopt);
  EXPECT_EQ(difference(got, {ElementType::i32, {1}, {}, {5}}, {1, 1}), "4 at [0], expected 5");
  EXPECT_EQ(difference(got, {ElementType::i32, {1}, {}, {5}}, {0, 0}, 1), std::nullopt);
}

class ScopeFile : public testing::Test {
 protected:
  Scope read(const std::string& rows, const std::string& set = "ours") {
    const std::filesystem::path path = folder_ / "scope.tsv";
    std::ofstream(path) << "set\tours\twhat we have\nset\ttheirs\twhat they have\n" << rows;
    return Scope::read(path, set);
  }
  std::string error_of(const std::string& rows) {
    try {
      read(rows);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  }

 private:
  const TemporaryFolder folder_;
};

TEST_F(ScopeFile, ExcludesByOperatorTypeAndPattern) {
  const Scope scope = read(
      "# "
      "why\noperator\tours\tBernoulli\trandom\ntype\tours\tstring\tstrings\ntest\tours\ttest_identity_opt*"
      "\toptional\n");
  EXPECT_EQ(scope.excludes("test_bernoulli", {"Bernoulli"}, {"float"})->reason, "random");
  EXPECT_EQ(scope.excludes("test_cast_FLOAT_to_STRING", {"Cast"}, {"float", "string"})->reason, "strings");
  EXPECT_EQ(scope.excludes("test_identity_opt", {"Identity"}, {})->reason, "optional");
  EXPECT_EQ(scope.excludes("test_cast_FLOAT_to_DOUBLE", {"Cast"}, {"float", "double"}), nullptr);
  EXPECT_TRUE(scope.unused().empty());
}

TEST_F(ScopeFile, ARowHoldsForTheSetsThatItNames) {
  const std::string rows = "operator\tours,theirs\tBernoulli\trandom\noperator\ttheirs\tAbs\tabsent\n";
  const Scope ours = read(rows, "ours"), theirs = read(rows, "theirs"), others = read(rows, "others");
  EXPECT_NE(ours.excludes("test_bernoulli", {"Bernoulli"}, {}), nullptr);
  EXPECT_EQ(ours.excludes("test_abs", {"Abs"}, {}), nullptr);
  EXPECT_NE(theirs.excludes("test_abs", {"Abs"}, {}), nullptr);
  EXPECT_EQ(others.excludes("test_bernoulli", {"Bernoulli"}, {}), nullptr);
  EXPECT_TRUE(others.unused().empty());
  // Each of the sets must meet the row.
  ASSERT_EQ(theirs.unused().size(), 1U);
  EXPECT_EQ(theirs.unused()[0]->pattern, "Bernoulli");
}

TEST_F(ScopeFile, GivesTheToleranceOfATest) {
  const Scope scope = read("tolerance\tours\ttest_hann*\t1e-4\tpi has five digits\n");
  EXPECT_EQ(scope.tolerance("test_hannwindow"), 1e-4);
  EXPECT_EQ(scope.tolerance("test_abs"), std::nullopt);
  EXPECT_EQ(scope.excludes("test_hannwindow", {"HannWindow"}, {}), nullptr);
}

TEST_F(ScopeFile, TellsRowsThatHideNothing) {
  const Scope scope = read("operator\tours\tBernoulli\trandom\n");
  EXPECT_EQ(scope.excludes("test_abs", {"Abs"}, {}), nullptr);
  ASSERT_EQ(scope.unused().size(), 1U);
  EXPECT_EQ(scope.unused()[0]->line, 3);
}

TEST_F(ScopeFile, RefusesRowsThatTakeAllOrSayNothing) {
  EXPECT_NE(error_of("test\tours\t*\tlazy\n").find("would take every test"), std::string::npos);
  EXPECT_NE(error_of("test\tours\ttest_*\tlazy\n").find("would take every test"), std::string::npos);
  EXPECT_NE(error_of("operator\tours\tBernoulli\t\n").find("the last a reason"), std::string::npos);
  EXPECT_NE(error_of("tolerance\tours\ttest_hann*\t1e-4\n").find("has 5 fields"), std::string::npos);
  EXPECT_NE(error_of("operator ours Bernoulli random\n").find("kind must be"), std::string::npos);
  EXPECT_NE(error_of("family\tours\tBernoulli\trandom\n").find("kind must be"), std::string::npos);
  EXPECT_NE(error_of("operator\tour\tBernoulli\trandom\n").find("set 'our' is not declared. known: ours theirs"), std::string::npos);
}

}  // namespace
}  // namespace assay
