// SPDX-License-Identifier: Apache-2.0
#include "assay/judge/inputs.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

#include "assay/spec/half.h"

namespace assay {
namespace {

template <class T>
std::vector<T> drawn(const InputInit& init, const Shape& shape, ElementType type, const std::map<std::string, std::int64_t>& dims = {},
                     Specials policy = Specials::nan, std::uint64_t seed = 1) {
  const Bytes bytes = draw_input({"x", type, {}}, shape, init, dims, policy, RandomStream(seed, "x"));
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

InputInit init(const std::string& kind, std::map<std::string, double> numbers = {}) { return {kind, std::move(numbers), "", false, ""}; }

TEST(RandomStream, IsSplitMix64) {
  // First outputs for state 0, from the algorithm's definition.
  RandomStream stream(0, "");
  EXPECT_EQ(stream.bits(), 0xe220a8397b1dcdafu);
  EXPECT_EQ(stream.bits(), 0x6e789e6aa1b965f4u);
}

TEST(RandomStream, DependsOnTheName) { EXPECT_NE(RandomStream(1, "a").bits(), RandomStream(1, "b").bits()); }

TEST(Draw, GivesTheSameBytesEverywhere) {
  // FNV-1a of 1,000 elements of each kind, literal: they must not change between machines, compilers or versions.
  const std::map<std::string, std::uint64_t> hashes = {
      {"normal", 15119098689306364082u}, {"uniform", 5339762969278616193u}, {"integer", 6777282005124053080u},
      {"bernoulli", 14257842948974870197u}, {"special", 4714972481847115112u}, {"log_uniform", 6763040076819462175u},
      {"large", 3747405170132052712u}, {"subnormal", 5150331073632510972u}, {"cancellation", 13427399163770662181u},
      {"ties", 17837265415852060069u}, {"sorted", 3970987983126656294u}, {"reversed", 12442672147595056354u},
      {"spikes", 16591949561269795950u}};
  for (const auto& [kind, hash] : hashes) {
    std::uint64_t got = 0xcbf29ce484222325u;
    for (const std::byte b : draw_input({"x", ElementType::f32, {}}, {10, 100}, init(kind), {}, Specials::nan, RandomStream(1, "x")))
      got = (got ^ static_cast<std::uint64_t>(b)) * 0x100000001b3u;
    EXPECT_EQ(got, hash) << kind;
  }
}

TEST(Draw, NormalHasMeanZeroAndVarianceOne) {
  const auto x = drawn<float>(init("normal"), {100000}, ElementType::f32);
  double mean = 0, square = 0;
  for (const float v : x) mean += v / 1e5, square += static_cast<double>(v) * v / 1e5;
  EXPECT_NEAR(mean, 0, 0.02);   // six standard errors
  EXPECT_NEAR(square, 1, 0.03);
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
  InputInit index{"index", {}, "V", false, ""};
  for (const auto i : drawn<std::int64_t>(index, {1000}, ElementType::i64, {{"V", 7}})) EXPECT_TRUE(i >= 0 && i < 7);
  index.distinct = true;
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

TEST(Draw, RefusesAnInitThatDoesNotSuit) {
  EXPECT_THROW(drawn<float>(init("index"), {3}, ElementType::f32), std::invalid_argument);
}

TEST(Dims, AreDrawnFromTheirRangeOnItsSteps) {
  const Case entry{"drawn", {{"N", {8, 64, 8}}, {"K", {3, 3, 1}}}, {}};
  std::set<std::int64_t> seen;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto dims = draw_dims(entry, seed);
    EXPECT_EQ(dims.at("K"), 3);
    EXPECT_EQ(dims.at("N") % 8, 0);
    seen.insert(dims.at("N"));
  }
  EXPECT_EQ(seen.size(), 8u);
}

TEST(Seed, ComesFromTheEnvironmentWhereItIsSet) {
  setenv("ASSAY_SEED", "0x2a", 1);
  EXPECT_EQ(fresh_seed(), 42u);
  setenv("ASSAY_SEED", "18446744073709551615", 1);
  EXPECT_EQ(fresh_seed(), ~std::uint64_t{0});
  for (const char* bad : {"many", "-1", " 1", "1 ", "0x", "18446744073709551616"}) {
    setenv("ASSAY_SEED", bad, 1);
    EXPECT_THROW(fresh_seed(), std::runtime_error) << bad;
  }
  unsetenv("ASSAY_SEED");
  EXPECT_NE(fresh_seed(), fresh_seed());
  EXPECT_EQ(seed_text(42), "0x000000000000002a");
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

TEST(Draw, TiesRepeat) {
  const auto x = drawn<float>(init("ties"), {1000}, ElementType::f32);
  EXPECT_EQ(std::set<float>(x.begin(), x.end()), (std::set<float>{-2, -1, 0, 1, 2}));
}

TEST(Draw, SpikesAreFewAndTheLastElementIsOne) {
  const auto x = drawn<float>(init("spikes"), {6400}, ElementType::f32);
  EXPECT_NEAR(static_cast<double>(std::ranges::count_if(x, [](float v) { return v != 0; })), 101, 60);
  EXPECT_NE(x.back(), 0);
}

TEST(Draw, ExtremesHoldTheEndsOfTheType) {
  const auto x = drawn<std::int8_t>(init("extremes"), {4000}, ElementType::i8);
  EXPECT_GT(std::ranges::count(x, std::int8_t{-128}), 100);
  EXPECT_GT(std::ranges::count(x, std::int8_t{127}), 100);
}

TEST(Draw, HalvesAreTheRoundedReals) {
  const auto reals = drawn<double>(init("normal"), {100}, ElementType::f64);
  const auto f16 = drawn<std::uint16_t>(init("normal"), {100}, ElementType::f16), bf16 = drawn<std::uint16_t>(init("normal"), {100}, ElementType::bf16);
  for (std::size_t i = 0; i < reals.size(); ++i) {
    EXPECT_EQ(f16[i], f16_from_double(reals[i]));
    EXPECT_EQ(bf16[i], bf16_from_double(reals[i]));
  }
}

TEST(Seed, IsReadOrRefused) {
  EXPECT_EQ(parse_seed("0x2a", "who"), 42u);
  for (const char* bad : {"", "x", "-1", "1 2", "0x1ffffffffffffffff"}) EXPECT_THROW(parse_seed(bad, "who"), std::runtime_error) << bad;
}

}  // namespace
}  // namespace assay
