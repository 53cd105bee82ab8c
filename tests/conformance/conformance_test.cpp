// SPDX-License-Identifier: Apache-2.0
// The conformance runner finds what it should find.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "comparison.h"
#include "scope.h"

namespace assay {
namespace {

Value<double> reals(ElementType type, std::vector<double> elements) {
  Tensor<double> tensor({static_cast<std::int64_t>(elements.size())});
  std::copy(elements.begin(), elements.end(), tensor.begin());
  return {type, tensor};
}

ConstantTensor expected(ElementType type, std::vector<double> elements) {
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
  Integers tensor({1});
  tensor[0] = 4;
  const Value<double> got{ElementType::i32, tensor};
  EXPECT_EQ(difference(got, {ElementType::i32, {1}, {}, {4}}, {1, 1}), std::nullopt);
  EXPECT_EQ(difference(got, {ElementType::i32, {1}, {}, {5}}, {1, 1}), "4 at [0], expected 5");
  EXPECT_EQ(difference(got, {ElementType::i32, {1}, {}, {5}}, {0, 0}, 1), std::nullopt);
}

class ScopeFile : public testing::Test {
 protected:
  Scope read(const std::string& text) {
    const std::string path = testing::TempDir() + "scope_file.tsv";
    std::ofstream(path) << text;
    return Scope::read(path);
  }
};

TEST_F(ScopeFile, ExcludesByOperatorAndByPattern) {
  const Scope scope = read("# why\noperator\tBernoulli\trandom\ntest\ttest_cast_*STRING*\tstrings\n");
  EXPECT_EQ(scope.excludes("test_bernoulli", {"Bernoulli"})->reason, "random");
  EXPECT_EQ(scope.excludes("test_cast_FLOAT_to_STRING", {"Cast"})->reason, "strings");
  EXPECT_EQ(scope.excludes("test_cast_FLOAT_to_DOUBLE", {"Cast"}), nullptr);
  EXPECT_TRUE(scope.unused().empty());
}

TEST_F(ScopeFile, GivesTheToleranceOfATest) {
  const Scope scope = read("tolerance\ttest_hann*\t1e-4\tpi has five digits\n");
  EXPECT_EQ(scope.tolerance("test_hannwindow"), 1e-4);
  EXPECT_EQ(scope.tolerance("test_abs"), std::nullopt);
  EXPECT_EQ(scope.excludes("test_hannwindow", {"HannWindow"}), nullptr);
}

TEST_F(ScopeFile, TellsRowsThatHideNothing) {
  const Scope scope = read("operator\tBernoulli\trandom\n");
  EXPECT_EQ(scope.excludes("test_abs", {"Abs"}), nullptr);
  ASSERT_EQ(scope.unused().size(), 1U);
  EXPECT_EQ(scope.unused()[0]->line, 1);
}

TEST_F(ScopeFile, RefusesRowsThatTakeAllOrSayNothing) {
  EXPECT_THROW(read("test\t*\tlazy\n"), std::runtime_error);
  EXPECT_THROW(read("test\ttest_*\tlazy\n"), std::runtime_error);
  EXPECT_THROW(read("operator\tBernoulli\t\n"), std::runtime_error);
  EXPECT_THROW(read("tolerance\ttest_hann*\t1e-4\n"), std::runtime_error);
  EXPECT_THROW(read("operator Bernoulli random\n"), std::runtime_error);
  EXPECT_THROW(read("family\tBernoulli\trandom\n"), std::runtime_error);
}

}  // namespace
}  // namespace assay
