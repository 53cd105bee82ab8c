// SPDX-License-Identifier: Apache-2.0
// kernelassay.Philox against published known answers (Random123's kat_vectors for zeros) and numbers by an independent program.
#include <gmock/gmock.h>

#include "one_node.h"

namespace assay::oracle {
namespace {

const OneNode philox = OneNode("Philox").domain("kernelassay");

/// Doubles hold these exactly.
Input number(std::int64_t x) { return integers({1}, {static_cast<double>(x)}); }

TEST(Philox, GivesTheKnownAnswers) {
  expect(philox, {number(0), number(0)}, {1, 4}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::int64_t kKey = (std::int64_t{1} << 40) + 3, kCounter = 5 * (std::int64_t{1} << 33) + 7;
  expect(philox, {number(kKey), number(kCounter)}, {1, 4}, {1677926396, 775293018, 2035898670, 3436829841});
}

TEST(Philox, GivesFourWordsForEachCounterOfAnyShape) {
  const auto words = [](std::int64_t counter) {
    return elements(philox.run<double>({number(11), integers({}, {static_cast<double>(counter)})})[0]);
  };
  std::vector<double> all;
  for (const std::int64_t counter : {5, -1, 0, 9, 5, 3})
    for (const double word : words(counter)) all.push_back(word);
  expect(philox, {number(11), integers({2, 3}, {5, -1, 0, 9, 5, 3})}, {2, 3, 4}, all);
  EXPECT_EQ(words(5).size(), 4);
  EXPECT_NE(words(5), words(-1));
  expect(philox, {number(11), integers({0}, {})}, {0, 4}, {});
}

TEST(Philox, ReadsAllBitsOfKeyAndCounter) {
  const auto first = [](std::int64_t key, std::int64_t counter) {
    const auto drawn = philox.run<double>({number(key), number(counter)});
    EXPECT_EQ(drawn[0].type, ElementType::u32);
    return elements(drawn[0]);
  };
  const std::vector<double> zeros = first(0, 0);
  for (int bit = 0; bit < 62; ++bit) {
    EXPECT_NE(first(std::int64_t{1} << bit, 0), zeros) << "bit " << bit;
    EXPECT_NE(first(0, std::int64_t{1} << bit), zeros) << "bit " << bit;
  }
}

/// What the error says of `inputs`.
std::string refusal(const std::vector<Input>& inputs) {
  try {
    philox.run<double>(inputs);
  } catch (const OperatorError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Philox, SaysWhatIsWrongWithItsInputs) {
  using testing::HasSubstr;
  EXPECT_THAT(refusal({number(1)}), HasSubstr("Philox: takes a key and counters, got 1 inputs"));
  EXPECT_THAT(refusal({integers({2}, {1, 2}), number(1)}), HasSubstr("key must be one number, got shape [2]"));
  EXPECT_THAT(refusal({number(1), integers({1}, {1}, ElementType::i32)}), HasSubstr("counters must be int64, got int32. do: Cast it"));
  EXPECT_THAT(refusal({reals({1}, {1}), number(1)}), HasSubstr("key must be int64, got float. do: Cast it"));
  EXPECT_THROW(OneNode("Philox").run<double>({number(1), number(1)}), OperatorError);  // ONNX has none
}

}  // namespace
}  // namespace assay::oracle
