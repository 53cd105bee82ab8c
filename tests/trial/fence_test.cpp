// SPDX-License-Identifier: Apache-2.0
// Every byte around an output is guarded, and no byte of it is.
#include "fence.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

namespace assay::trial {
namespace {

using record::Verdict;

constexpr std::uint32_t kPattern = 0x7ffb1235u;

/// Two files with room for the buffers, as the box has them.
struct Memory {
  explicit Memory(const std::vector<wire::Buffer>& laid_out) : buffers(laid_out), inputs(size(0)), outputs(size(1)) {
    fill_fences(buffers, inputs.data(), outputs.data(), kPattern);
  }
  std::size_t size(std::uint32_t is_output) const {
    std::uint64_t bytes = wire::kPage;  // one page more than is used, to see that nothing is written there
    for (const wire::Buffer& at : buffers)
      if (at.is_output == is_output) bytes += at.pages * wire::kPage;
    return bytes;
  }
  std::optional<Failure> damage() const { return find_damaged_fence(buffers, outputs.data(), kPattern); }

  std::vector<wire::Buffer> buffers;
  std::vector<std::byte> inputs, outputs;
};

TEST(Fence, PayloadEndsWithItsLastPageUpToAlignment) {
  for (const std::size_t bytes : {1u, 4u, 63u, 64u, 65u, 4032u, 4095u, 4096u, 4097u, 8192u, 100000u}) {
    const wire::Buffer at = lay_out(8192, bytes, false);
    EXPECT_EQ(at.offset, 8192u);
    EXPECT_EQ(at.bytes, bytes);
    EXPECT_EQ(at.start % wire::kAlignment, 0u) << bytes;
    EXPECT_LT(at.pages * wire::kPage - at.start - bytes, wire::kAlignment) << bytes;
    EXPECT_LT(at.start, wire::kPage) << bytes;
    EXPECT_EQ(at.pages, pages_for(bytes));
  }
}

TEST(Fence, ABufferTakesNoPageMoreThanItNeeds) {
  EXPECT_EQ(pages_for(1), 1u);
  EXPECT_EQ(pages_for(4096), 1u);
  EXPECT_EQ(pages_for(4097), 2u);
  EXPECT_EQ(pages_for(8192), 2u);
}

TEST(Fence, AnEmptyTensorHasABufferAllTheSame) {
  const wire::Buffer at = lay_out(0, 0, true);
  EXPECT_EQ(at.bytes, 0u);
  EXPECT_EQ(at.pages, 1u);
  EXPECT_EQ(at.start, wire::kPage - wire::kAlignment);
}

TEST(Fence, SaysWhichBuffersAreOutputs) {
  EXPECT_EQ(lay_out(0, 4, true).is_output, 1u);
  EXPECT_EQ(lay_out(0, 4, false).is_output, 0u);
  EXPECT_EQ(lay_out(0, 4, true).is_scratch, 0u);
}

TEST(Fence, PatternIsANanThatDependsOnTheNumber) {
  for (const std::uint32_t number : {0u, 1u, 0x0007fffeu, 0xdeadbeefu, 0xffffffffu}) {
    const std::uint32_t pattern = poison_pattern(Poison::nan, number);
    float single;
    std::memcpy(&single, &pattern, sizeof single);
    EXPECT_TRUE(std::isnan(single)) << pattern;
    const std::uint64_t twice = (std::uint64_t{pattern} << 32) | pattern;
    double wide;
    std::memcpy(&wide, &twice, sizeof wide);
    EXPECT_TRUE(std::isnan(wide)) << pattern;
    EXPECT_NE(pattern & 0xffu, 0u) << "a boolean would be false";
    EXPECT_NE(pattern & 0xff0000u, 0u);
  }
  EXPECT_EQ(poison_pattern(Poison::nan, 0x12344u), 0x7ff92345u);
  EXPECT_NE(poison_pattern(Poison::nan, 0), poison_pattern(Poison::nan, 2));
  EXPECT_EQ(poison_pattern(Poison::nan, 0xfff00000u), poison_pattern(Poison::nan, 0)) << "the number leaves sign and exponent alone";
}

template <class T>
double poisoned(Poison kind, std::uint32_t number) {
  const std::uint64_t twice = std::uint64_t{poison_pattern(kind, number)} << 32 | poison_pattern(kind, number);
  T value;
  std::memcpy(static_cast<void*>(&value), &twice, sizeof value);
  return static_cast<double>(value);
}

TEST(Fence, PatternIsAHugeNumberOfEitherSign) {
  for (const std::uint32_t number : {0u, 1u, 0x0007fffeu, 0xdeadbeefu, 0xffffffffu}) {
    for (const auto& [kind, sign] : {std::pair{Poison::huge, 1}, {Poison::minus_huge, -1}}) {
      EXPECT_GT(sign * poisoned<float>(kind, number), 1e35) << number;
      EXPECT_GT(sign * poisoned<double>(kind, number), 1e279) << number;
      EXPECT_TRUE(std::isfinite(poisoned<float>(kind, number)));
      EXPECT_GT(sign * poisoned<Eigen::half>(kind, number), 49000) << number;
      EXPECT_TRUE(std::isfinite(poisoned<Eigen::half>(kind, number)));
      EXPECT_GT(sign * poisoned<Eigen::bfloat16>(kind, number), 1e35) << number;
      EXPECT_GT(sign * poisoned<std::int64_t>(kind, number), 3e17) << "no index";
      EXPECT_GT(sign * poisoned<std::int32_t>(kind, number), 8e7) << "no index";
      EXPECT_GT(poison_pattern(kind, number) & 0xffu, 1u) << "no boolean";
    }
    EXPECT_NE(poison_pattern(Poison::huge, number), poison_pattern(Poison::huge, number ^ 1));
  }
}

TEST(Fence, FillsWhatLiesAroundPayloads) {
  Memory memory({lay_out(0, 10, false), lay_out(0, 10, true)});
  const std::size_t start = memory.buffers[1].start;
  for (std::size_t i = 0; i < wire::kPage; ++i) {
    const bool is_payload = i >= start && i < start + 10;
    const auto word = static_cast<std::byte>(kPattern >> (8 * ((i < start ? i : i - start - 10) % 4)));
    ASSERT_EQ(memory.outputs[i], is_payload ? std::byte{0} : word) << i;
    ASSERT_TRUE(!is_payload || memory.inputs[i] == std::byte{0}) << i;
  }
  EXPECT_EQ(memory.outputs[wire::kPage], std::byte{0});
  EXPECT_EQ(memory.inputs[wire::kPage], std::byte{0});
}

TEST(Fence, FillsAPayloadOfAnyLength) {
  std::vector<std::byte> bytes(11);
  fill(std::span(bytes).first(10), kPattern);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(bytes[i], static_cast<std::byte>(kPattern >> (8 * (i % 4)))) << i;
  EXPECT_EQ(bytes[10], std::byte{0});
}

TEST(Fence, AroundInputsIsAnotherPattern) {
  Memory memory({lay_out(0, 8, false), lay_out(0, 8, true)});
  std::uint32_t around_input, after_input, around_output;
  std::memcpy(&around_input, memory.inputs.data(), 4);
  std::memcpy(&after_input, memory.inputs.data() + memory.buffers[0].start + 8, 4);
  std::memcpy(&around_output, memory.outputs.data(), 4);
  EXPECT_EQ(around_output, kPattern);
  EXPECT_EQ(around_input, kPattern ^ 0x00040200u);
  EXPECT_EQ(after_input, around_input);
}

TEST(Fence, IsWholeAfterFilling) {
  EXPECT_FALSE(Memory({lay_out(0, 10, false), lay_out(0, 10, true), lay_out(4096, 4096, true), lay_out(8192, 0, true)}).damage());
}

TEST(Fence, NoticesEveryByteOutsideAnOutputAndNoneInside) {
  // Lengths whose fences end in 0 to 3 bytes beyond whole words.
  for (const std::size_t bytes : {0u, 1u, 2u, 3u, 4u, 61u, 64u, 4096u, 5001u}) {
    const std::vector<wire::Buffer> buffers = {lay_out(0, 64, false), lay_out(0, 64, true), lay_out(4096, bytes, true)};
    Memory memory(buffers);
    const wire::Buffer& at = buffers[2];
    for (std::size_t i = 0; i < at.pages * wire::kPage; ++i) {
      std::byte& touched = memory.outputs[at.offset + i];
      touched ^= std::byte{1};
      const auto damage = memory.damage();
      const bool inside = i >= at.start && i < at.start + bytes;
      ASSERT_EQ(damage.has_value(), !inside) << bytes << " bytes, at " << i;
      if (damage) {
        ASSERT_EQ(damage->verdict, Verdict::out_of_bounds);
        ASSERT_EQ(damage->detail, i < at.start ? "wrote before the first element of output 1" : "wrote past the last element of output 1");
      }
      touched ^= std::byte{1};
    }
  }
}

TEST(Fence, OfAnOutputIsJudgedWhereThereIsNoInput) {
  Memory memory({lay_out(0, 100, true)});
  EXPECT_FALSE(memory.damage());
  memory.outputs[0] ^= std::byte{1};
  EXPECT_TRUE(memory.damage());
}

TEST(Fence, OfAnInputIsNotJudged) {
  Memory memory({lay_out(0, 8, false), lay_out(0, 8, true)});
  memory.inputs.front() ^= std::byte{1};
  EXPECT_FALSE(memory.damage());
}

}  // namespace
}  // namespace assay::trial
