// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

#include "assay/spec/half.h"

namespace assay::cases {
namespace {

using oracle::Specials;
using spec::ElementType;

template <class T>
std::vector<T> drawn(const spec::InputInit& init, const spec::Shape& shape, ElementType type,
                     const std::map<std::string, std::int64_t>& dims = {}, Specials policy = Specials::nan, std::uint64_t seed = 1) {
  const Bytes bytes = draw_input({"x", type, {}}, shape, init, dims, policy, RandomStream(seed, {"x"}));
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

spec::InputInit init(const std::string& kind, std::map<std::string, double> numbers = {}) { return {kind, std::move(numbers)}; }

TEST(Draw, GivesTheSameBytesEverywhere) {
  // FNV-1a of 1,000 elements of each kind, literal: they must not change between machines, compilers or versions.
  const std::map<std::string, std::uint64_t> hashes = {
      {"normal", 17663866812229505353u},    {"uniform", 8791844109867985819u},    {"integer", 8752230582084225416u},
      {"bernoulli", 11368286706973177125u}, {"special", 11505733050306580451u},   {"log_uniform", 9752742280501711300u},
      {"large", 8685739776187980929u},      {"subnormal", 18048027418098432138u}, {"cancellation", 17787682703858763207u},
      {"ties", 2193284976514814360u},       {"sorted", 9098151632094842444u},     {"reversed", 1767969341185910540u},
      {"spikes", 12539910132871307273u}};
  for (const auto& [kind, hash] : hashes) {
    std::uint64_t got = 0xcbf29ce484222325u;
    for (const std::byte b : draw_input({"x", ElementType::f32, {}}, {10, 100}, init(kind), {}, Specials::nan, RandomStream(1, {"x"})))
      got = (got ^ static_cast<std::uint64_t>(b)) * 0x100000001b3u;
    EXPECT_EQ(got, hash) << kind;
  }
}

TEST(Draw, UniformStaysInItsRange) {
  const auto x = drawn<float>(init("uniform", {{"low", 2}, {"high", 3}}), {1000}, ElementType::f32);
  EXPECT_GE(*std::ranges::min_element(x), 2);
  EXPECT_LE(*std::ranges::max_element(x), 3);
}

TEST(Draw, KaimingIsBoundedByTheFanIn) {
  const auto w = drawn<float>(init("kaiming"), {10, 4, 25}, ElementType::f32);
  const float bound = *std::ranges::max_element(w, {}, [](float v) { return std::abs(v); });
  EXPECT_LE(std::abs(bound), 0.1f);
  EXPECT_GT(std::abs(bound), 0.09f);
}

TEST(Draw, IndicesStayInRangeAndDistinctOnesDiffer) {
  spec::InputInit index{"index", {}, {{"of", "V"}}};
  for (const auto i : drawn<std::int64_t>(index, {1000}, ElementType::i64, {{"V", 7}})) EXPECT_TRUE(i >= 0 && i < 7);
  index.names["distinct"] = "true";
  const auto all = drawn<std::int64_t>(index, {7}, ElementType::i64, {{"V", 7}});
  EXPECT_EQ(std::set<std::int64_t>(all.begin(), all.end()).size(), 7u);
  EXPECT_THROW(drawn<std::int64_t>(index, {8}, ElementType::i64, {{"V", 7}}), std::invalid_argument);
}

TEST(Draw, ProbabilitiesSumToOneInEachRow) {
  const auto p = drawn<float>(init("probability"), {5, 9}, ElementType::f32);
  for (int row = 0; row < 5; ++row) {
    double sum = 0;
    for (int i = 0; i < 9; ++i) sum += p[static_cast<std::size_t>(row * 9 + i)];
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(Draw, SpecialFollowsThePolicy) {
  const auto count = [](const std::vector<float>& x, auto&& predicate) { return std::ranges::count_if(x, predicate); };
  const auto is_nan = [](float v) { return std::isnan(v); };
  const auto is_inf = [](float v) { return std::isinf(v); };
  const auto with = [&](Specials policy) { return drawn<float>(init("special"), {20000}, ElementType::f32, {}, policy); };
  EXPECT_GT(count(with(Specials::nan), is_nan), 0);
  EXPECT_GT(count(with(Specials::nan), is_inf), 0);
  EXPECT_EQ(count(with(Specials::infinite), is_nan), 0);
  EXPECT_GT(count(with(Specials::infinite), is_inf), 0);
  EXPECT_EQ(count(with(Specials::finite), is_inf), 0);
  EXPECT_GT(count(with(Specials::finite), [](float v) { return v == 0 && std::signbit(v); }), 0);
  EXPECT_EQ(count(drawn<float>(init("special_finite"), {20000}, ElementType::f32), is_inf), 0);
}

TEST(Draw, RefusesAnInitThatDoesNotSuit) { EXPECT_THROW(drawn<float>(init("index"), {3}, ElementType::f32), std::invalid_argument); }

TEST(Dims, AreDrawnFromTheirRangeOnItsSteps) {
  const spec::Case entry{"drawn", {{"N", {8, 64, 8}}, {"K", {3, 3, 1}}}, {}};
  std::set<std::int64_t> seen;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto dims = draw_dims(entry, seed);
    EXPECT_EQ(dims.at("K"), 3);
    EXPECT_EQ(dims.at("N") % 8, 0);
    seen.insert(dims.at("N"));
  }
  EXPECT_EQ(seen.size(), 8u);
}

TEST(Draw, LogUniformCoversItsExponents) {
  const auto x = drawn<float>(init("log_uniform", {{"low", -60}, {"high", 60}}), {20000}, ElementType::f32);
  int least = 999, most = -999, negative = 0;
  for (const float v : x) {
    least = std::min(least, std::ilogb(v)), most = std::max(most, std::ilogb(v));
    negative += v < 0;
  }
  EXPECT_EQ(least, -60);
  EXPECT_EQ(most, 59);
  EXPECT_NEAR(negative, 10000, 500);
}

TEST(Draw, SubnormalIsBelowTheSmallestNormal) {
  for (const float v : drawn<float>(init("subnormal"), {1000}, ElementType::f32)) EXPECT_LT(std::abs(v), 0x1p-126f);
}

TEST(Draw, LargeIsFinite) {
  for (const float v : drawn<float>(init("large"), {1000}, ElementType::f32)) {
    EXPECT_TRUE(std::isfinite(v));
    EXPECT_GE(std::abs(v), 0x1p96f);
  }
}

TEST(Draw, CancellationAllButSumsToZero) {
  const auto x = drawn<float>(init("cancellation"), {10000}, ElementType::f32);
  double sum = 0, magnitudes = 0;
  for (const float v : x) sum += v, magnitudes += std::abs(v);
  EXPECT_LT(std::abs(sum), magnitudes / 1000);
  EXPECT_FALSE(std::ranges::is_sorted(x));
}

TEST(Draw, SortedAndReversedAreSoAlongTheLastAxis) {
  const auto up = drawn<float>(init("sorted"), {7, 11}, ElementType::f32), down = drawn<float>(init("reversed"), {7, 11}, ElementType::f32);
  for (int row = 0; row < 7; ++row) {
    EXPECT_TRUE(std::is_sorted(up.begin() + 11 * row, up.begin() + 11 * (row + 1)));
    EXPECT_TRUE(std::is_sorted(down.begin() + 11 * row, down.begin() + 11 * (row + 1), std::greater<>()));
  }
}

TEST(Draw, TheLastOfSortedElementsIsTheLargestOfAllAndOfReversedOnesTheSmallest) {
  for (const spec::Shape& shape : {spec::Shape{7, 11}, {3, 5, 4}, {50}, {50, 1}}) {
    const auto up = drawn<float>(init("sorted"), shape, ElementType::f32), down = drawn<float>(init("reversed"), shape, ElementType::f32);
    EXPECT_EQ(up.back(), *std::ranges::max_element(up));
    EXPECT_EQ(down.back(), *std::ranges::min_element(down));
    EXPECT_NE(up.front(), *std::ranges::max_element(up));
  }
}

TEST(Draw, TiesRepeat) {
  const auto x = drawn<float>(init("ties"), {1000}, ElementType::f32);
  EXPECT_EQ(std::set<float>(x.begin(), x.end()), (std::set<float>{-2, -1, 0, 1, 2}));
}

TEST(Draw, SpikesAreFewAndTheLastElementIsOne) {
  const auto x = drawn<float>(init("spikes"), {6400}, ElementType::f32);
  EXPECT_NEAR(static_cast<double>(std::ranges::count_if(x, [](float v) { return v != 0; })), 101, 60);
  EXPECT_NE(x.back(), 0);
}

TEST(Draw, MixedSlicesAreOfDifferentClasses) {
  constexpr std::int64_t kSlices = 26, kExtent = 500;
  const auto x = drawn<float>(init("mixed"), {kSlices, kExtent}, ElementType::f32);
  int with_nan = 0, subnormal = 0, beyond = 0, offset = 0;
  for (std::int64_t slice = 0; slice < kSlices; ++slice) {
    const auto begin = x.begin() + slice * kExtent, end = begin + kExtent;
    with_nan += std::any_of(begin, end, [](float v) { return std::isnan(v); });
    subnormal += std::all_of(begin, end, [](float v) { return std::abs(v) < 0x1p-126f; });
    beyond += std::all_of(begin, end, [](float v) { return std::abs(v) >= 0x1p112f; });
    offset += std::all_of(begin, end, [](float v) { return v > 19000; });
  }
  // 13 classes, dealt twice.
  EXPECT_EQ(with_nan, 2);
  EXPECT_EQ(subnormal, 2);
  EXPECT_EQ(beyond, 2);
  EXPECT_EQ(offset, 2);
}

TEST(Draw, MixedSlicesHoldOrdinaryNumbersHoweverFewTheyAre) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto single = drawn<float>(init("mixed"), {1, 2000}, ElementType::f32, {}, Specials::nan, seed);
    EXPECT_NEAR(static_cast<double>(std::ranges::count_if(single, [](float v) { return std::abs(v) < 1 && v != 0; })), 1365, 130) << seed;
  }
}

TEST(Draw, IntegersKeepTheirDensityAndStep) {
  const auto sparse = drawn<float>(init("integer", {{"low", -9}, {"high", 9}, {"density", 0.125}}), {8000}, ElementType::f32);
  EXPECT_NEAR(static_cast<double>(std::ranges::count_if(sparse, [](float v) { return v != 0; })), 8000 * 0.125 * 18 / 19, 150);
  const auto signs = drawn<float>(init("integer", {{"low", -1}, {"high", 1}, {"step", 2}}), {1000}, ElementType::f32);
  EXPECT_EQ(std::set<float>(signs.begin(), signs.end()), (std::set<float>{-1, 1}));
}

TEST(Draw, ExtremesHoldTheEndsOfTheType) {
  const auto x = drawn<std::int8_t>(init("extremes"), {4000}, ElementType::i8);
  EXPECT_GT(std::ranges::count(x, std::int8_t{-128}), 100);
  EXPECT_GT(std::ranges::count(x, std::int8_t{127}), 100);
}

TEST(Draw, HalvesAreTheRoundedReals) {
  const auto reals = drawn<double>(init("normal"), {100}, ElementType::f64);
  const auto f16 = drawn<std::uint16_t>(init("normal"), {100}, ElementType::f16),
             bf16 = drawn<std::uint16_t>(init("normal"), {100}, ElementType::bf16);
  for (std::size_t i = 0; i < reals.size(); ++i) {
    EXPECT_EQ(f16[i], spec::f16_from_double(reals[i]));
    EXPECT_EQ(bf16[i], spec::bf16_from_double(reals[i]));
  }
}

}  // namespace
}  // namespace assay::cases
