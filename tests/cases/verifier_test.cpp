// SPDX-License-Identifier: Apache-2.0
// A task whose oracle.cpp gives one order of pairs, and whose verify.cpp takes every order: right, wrong and hostile outputs.
#include "assay/cases/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "assay/cases/expected.h"
#include "assay/oracle/evaluate.h"

namespace assay::cases {
namespace {

using oracle::SumOrder;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

spec::Task load(const std::string& name) {
  spec::TaskFile from(std::string(VERIFIED_TASKS) + "/math/" + name + "/task.yaml");
  from.library = name == "by_any_order" ? BY_ANY_ORDER : BY_TROUBLE;
  return spec::load_task(from);
}

template <class T>
Bytes as_bytes(const std::vector<T>& values) {
  const auto* data = reinterpret_cast<const std::byte*>(values.data());
  return {data, data + values.size() * sizeof(T)};
}

/// x -> x's numbers in any order, and where in x each is.
class AnyOrder : public testing::Test {
 protected:
  Comparison judge(const std::vector<float>& y, const std::vector<std::int64_t>& index) const {
    return compare(prepared_, {as_bytes(y), as_bytes(index)});
  }

  const spec::Task task_ = load("by_any_order");
  const PreparedCase prepared_ = prepare_case(task_, "case", {{"N", 4}}, {as_bytes<float>({3, 1, 4, 2})}, {SumOrder::natural});
};

TEST_F(AnyOrder, TakesTheOracleAndEveryOtherRightAnswer) {
  EXPECT_EQ(prepared_.outputs[0].values, (oracle::Elements<double>{1, 2, 3, 4}));
  EXPECT_TRUE(compare(prepared_, right_outputs(prepared_)).accepted);
  EXPECT_TRUE(judge({3, 1, 4, 2}, {0, 1, 2, 3}).accepted);
  EXPECT_TRUE(judge({4, 3, 2, 1}, {2, 0, 3, 1}).accepted);
  const auto another = prepared_.verifier->another(prepared_);
  ASSERT_TRUE(another.has_value());
  EXPECT_NE(*another, right_outputs(prepared_));
  EXPECT_TRUE(compare(prepared_, *another).accepted);
}

TEST_F(AnyOrder, NamesTheResidualThatIsTooLarge) {
  const Comparison wrong = judge({3, 1, 4.5, 2}, {0, 1, 2, 3});
  EXPECT_FALSE(wrong.accepted);
  EXPECT_EQ(wrong.detail, "case: residual 'numbers' is 0.5, at most 1e-06 is right");
  EXPECT_EQ(wrong.scaled, 0.5);
  EXPECT_EQ(wrong.bound, 1e-6);
  EXPECT_TRUE(wrong.unverifiable.empty());
}

TEST_F(AnyOrder, RefusesWhatIsNoNumberBeforeVerifySeesIt) {
  EXPECT_EQ(judge({3, kNotANumber, 4, 2}, {0, 1, 2, 3}).detail,
            "case: y[1] (row-major): got nan, and every number of a right output is finite");
  EXPECT_THAT(judge({3, 1, 4, -kInfinity}, {0, 1, 2, 3}).detail, HasSubstr("y[3] (row-major): got -inf"));
}

TEST_F(AnyOrder, RefusesIndicesOutsideTheirRange) {
  constexpr auto kLowest = std::numeric_limits<std::int64_t>::min(), kHighest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(judge({3, 1, 4, 2}, {0, 1, 4, 3}).detail, "case: index[2] is 4, must be 0 to 3");
  for (const std::int64_t index : {std::int64_t{-1}, kLowest, kHighest}) EXPECT_FALSE(judge({3, 1, 4, 2}, {0, index, 2, 3}).accepted);
  EXPECT_EQ(judge({3, 1, 3, 2}, {0, 1, 0, 3}).detail, "case: index 0 comes twice");
}

TEST_F(AnyOrder, HugeNumbersAreAResidualLikeAnyOther) {
  const Comparison huge = judge({3, std::numeric_limits<float>::max(), 4, 2}, {0, 1, 2, 3});
  EXPECT_FALSE(huge.accepted);
  EXPECT_THAT(huge.detail, HasSubstr("residual 'numbers' is 3.4e+38"));
}

/// A verify.cpp that does as the output's first number says where it is not x's: what a candidate must not be able to use.
class Trouble : public testing::Test {
 protected:
  Comparison judge(float y) const { return compare(prepared_, {as_bytes<float>({y})}); }
  /// The same where the right output is `right`, too: the task is at fault.
  static PreparedCase at_fault(float right) {
    return prepare_case(load("by_trouble"), "case", {{"N", 1}}, {as_bytes<float>({right})}, {SumOrder::natural});
  }

  const PreparedCase prepared_ = at_fault(0);
};

struct Deed {
  float number;
  const char* said;
};
const Deed kDeeds[] = {{1, "threw 'one'"},
                       {2, "ended by signal 11"},
                       {3, "ended by signal 6"},
                       {4, "ended its process"},
                       {5, "gave residual 'it' as nan, its bound as 1"},
                       {6, "gave residual 'it' as 0, its bound as nan"},
                       {7, "named no residual"},
                       {8, "threw 'something that is no std::exception'"},
                       {9, "threw 'y[5] is outside of it'"},
                       {10, "threw 'the signature has no tensor 'z' here'"},
                       {11, "threw 'y has no integers'"},
                       {12, "gave residual 'it' as 0, its bound as -1"},
                       {13, "threw 'Eigen: "}};

TEST_F(Trouble, IsTheCandidatesWhereRightOutputsAreVerified) {
  EXPECT_TRUE(judge(0).accepted);
  for (const Deed& deed : kDeeds) {
    const Comparison result = judge(deed.number);
    EXPECT_FALSE(result.accepted) << deed.said;
    EXPECT_THAT(result.detail, HasSubstr("not to be verified, as right outputs are: verify.cpp " + std::string(deed.said)));
    EXPECT_THAT(result.unverifiable, HasSubstr(deed.said));
  }
}

TEST_F(Trouble, IsTheTasksWhereRightOutputsAreNot) {
  for (const Deed& deed : kDeeds) {
    const PreparedCase prepared = at_fault(deed.number);
    EXPECT_THAT([&] { compare(prepared, right_outputs(prepared)); },
                ThrowsMessage<std::runtime_error>(testing::AllOf(HasSubstr("by_trouble/harness/verify.cpp: case 'case': "),
                                                                 HasSubstr(deed.said), HasSubstr("on right outputs. do: mend it"))))
        << deed.said;
  }
}

TEST_F(Trouble, ThatNeverEndsIsEnded) {
  const Comparison result = judge(20);
  EXPECT_FALSE(result.accepted);
  EXPECT_THAT(result.detail, HasSubstr("did not answer within 10 seconds"));
}

TEST_F(Trouble, AnInfiniteResidualIsTooLarge) { EXPECT_EQ(judge(21).detail, "case: residual 'it' is inf, at most 1 is right"); }

TEST_F(Trouble, SaysWhereTheLibraryIsMissing) {
  const std::string file = std::string(VERIFIED_TASKS) + "/math/by_trouble/task.yaml";
  EXPECT_THAT(
      [&] {
        prepare_case(spec::load_task(file), "case", {{"N", 1}}, {as_bytes<float>({0})}, {});
      },
      ThrowsMessage<oracle::OperatorError>(HasSubstr("nobody says where the library of harness/oracle.cpp is. do: build it")));
  spec::TaskFile from(file);
  from.library = "/nowhere/harness.so";
  EXPECT_THAT(
      [&] {
        prepare_case(spec::load_task(from), "case", {{"N", 1}}, {as_bytes<float>({0})}, {});
      },
      ThrowsMessage<oracle::OperatorError>(HasSubstr("harness/oracle.cpp cannot be loaded: /nowhere/harness.so")));
}

TEST_F(Trouble, AnOracleThatThrowsHasItsPlace) {
  EXPECT_THAT([] { at_fault(99); },
              ThrowsMessage<oracle::OperatorError>(HasSubstr("operator TaskOracle: harness/oracle.cpp threw 'ninety-nine'")));
}

TEST(OracleScales, AreTheOraclesOrFollowFromRoundedInputs) {
  const PreparedCase own = prepare_case(load("by_trouble"), "case", {{"N", 1}}, {as_bytes<float>({50})}, {SumOrder::natural});
  EXPECT_EQ(own.outputs[0].scales[0], 7);
  // y is x here: |y|, and up to one rounding of x.
  const PreparedCase found = prepare_case(load("by_trouble"), "case", {{"N", 1}}, {as_bytes<float>({40})}, {SumOrder::natural});
  EXPECT_GT(found.outputs[0].scales[0], 40);
  EXPECT_LE(found.outputs[0].scales[0], 80.001);
}

}  // namespace
}  // namespace assay::cases
