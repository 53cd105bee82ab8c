// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/random.h"

#include <gtest/gtest.h>
#include <sodium.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace assay::cases {
namespace {

TEST(RandomStream, IsChaCha20UnderAKeyedHashOfItsPath) {
  // The construction again, from the library's one-call functions.
  const Seed seed(1);
  const std::string path("\6\0\0\0\0\0\0\0stream\1\0\0\0\0\0\0\0a\2\0\0\0\0\0\0\0bc", 14 + 9 + 10);
  unsigned char key[32];
  crypto_generichash(key, sizeof key, reinterpret_cast<const unsigned char*>(path.data()), path.size(), seed.secret().data(), 32);
  std::vector<unsigned char> stream(20000);
  const unsigned char nonce[crypto_stream_chacha20_IETF_NONCEBYTES] = {};
  crypto_stream_chacha20_ietf(stream.data(), stream.size(), nonce, key);
  RandomStream random(seed, {"a", "bc"});
  for (std::size_t at = 0; at < stream.size(); at += 8) {
    std::uint64_t expected = 0;
    for (std::size_t i = 8; i-- > 0;) expected = expected << 8 | stream[at + i];
    ASSERT_EQ(random.bits(), expected) << "word " << at / 8;
  }
}

TEST(RandomStream, PathsDoNotRunIntoEachOther) {
  std::set<std::uint64_t> first;
  for (const auto path : {std::initializer_list<std::string_view>{"ab", "c"}, {"a", "bc"}, {"abc"}, {"abc", ""}, {"", "abc"}, {}})
    first.insert(RandomStream(1, path).bits());
  EXPECT_EQ(first.size(), 6u);
  EXPECT_NE(RandomStream(1, {"a"}).bits(), RandomStream(2, {"a"}).bits());
}

TEST(RandomStream, BelowStaysBelowAndReachesAll) {
  RandomStream random(1, {"below"});
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.below(7));
  EXPECT_EQ(seen.size(), 7u);
  EXPECT_EQ(*seen.rbegin(), 6u);
  EXPECT_EQ(random.below(0), 0u);
}

using Fill = void (*)(RandomStream&, std::span<double>);
class Normal : public testing::TestWithParam<Fill> {
 protected:
  template <class Use>
  void each(std::uint64_t seed, int count, Use use) const {
    RandomStream random(seed, {"normal"});
    std::vector<double> some(1000);
    for (int done = 0; done < count; done += 1000) {
      GetParam()(random, some);
      for (const double x : some) use(x);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, Normal,
                         testing::Values(
                             [](RandomStream& random, std::span<double> out) {
                               for (double& x : out) x = random.normal();
                             },
                             [](RandomStream& random, std::span<double> out) { random.fill_normal(out); },
                             [](RandomStream& random, std::span<double> out) { random.fill_normal_floats(out); }));

/// Of twenty million numbers, how many standard errors a moment is away from a normal distribution's.
TEST_P(Normal, HasTheMomentsAndTheTailsOfOne) {
  constexpr int kCount = 20'000'000;
  double powers[5] = {};
  const double borders[] = {0.1, 1, 2, 3, 3.4641016, 3.6541528853610088, 4, 4.5, 5};
  int beyond[std::size(borders)] = {}, negative = 0, zeros = 0;
  each(7, kCount, [&](double x) {
    double power = 1;
    for (double& sum : powers) sum += power, power *= x;
    negative += x < 0;
    zeros += x == 0;
    for (std::size_t b = 0; b < std::size(borders); ++b) beyond[b] += std::abs(x) > borders[b];
  });
  EXPECT_EQ(zeros, 0);
  // Variances of x, x^2, x^3 and x^4: 1, 2, 15 and 96.
  EXPECT_NEAR(powers[1] / kCount, 0, 5 * std::sqrt(1.0 / kCount));
  EXPECT_NEAR(powers[2] / kCount, 1, 5 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(powers[3] / kCount, 0, 5 * std::sqrt(15.0 / kCount));
  EXPECT_NEAR(powers[4] / kCount, 3, 5 * std::sqrt(96.0 / kCount));
  EXPECT_NEAR(negative, kCount / 2, 5 * std::sqrt(kCount / 4));
  for (std::size_t b = 0; b < std::size(borders); ++b) {
    const double expected = kCount * std::erfc(borders[b] / std::sqrt(2.0));
    EXPECT_NEAR(beyond[b], expected, 5 * std::sqrt(expected)) << "beyond " << borders[b];
    EXPECT_GT(beyond[b], 0) << "beyond " << borders[b];
  }
}

TEST_P(Normal, FillsTheWholeCurve) {
  // A strip of the ziggurat that is drawn too rarely, or a seam between two, shows in a histogram.
  constexpr int kCount = 4'000'000, kBins = 400;
  std::vector<double> bins(kBins);
  each(8, kCount, [&](double x) {
    if (const double at = (x + 4) * kBins / 8; at >= 0 && at < kBins) ++bins[static_cast<std::size_t>(at)];
  });
  double chi_square = 0;
  for (int b = 0; b < kBins; ++b) {
    const auto below = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
    const double expected = kCount * (below((b + 1) * 8.0 / kBins - 4) - below(b * 8.0 / kBins - 4));
    chi_square += (bins[static_cast<std::size_t>(b)] - expected) * (bins[static_cast<std::size_t>(b)] - expected) / expected;
  }
  EXPECT_NEAR(chi_square, kBins, 5 * std::sqrt(2.0 * kBins));
}

TEST(Seed, ComesFromTheEnvironmentWhereItIsSet) {
  setenv("ASSAY_SEED", "0x2a", 1);
  EXPECT_EQ(fresh_seed(), Seed(42));
  setenv("ASSAY_SEED", "18446744073709551615", 1);
  EXPECT_EQ(fresh_seed(), Seed(~std::uint64_t{0}));
  for (const char* bad : {"many", "-1", " 1", "1 ", "0x", "18446744073709551616"}) {
    setenv("ASSAY_SEED", bad, 1);
    EXPECT_THROW(fresh_seed(), std::runtime_error) << bad;
  }
  unsetenv("ASSAY_SEED");
  EXPECT_NE(fresh_seed(), fresh_seed());
}

TEST(Seed, IsReadOrRefused) {
  EXPECT_EQ(parse_seed("0x2a", "who"), Seed(42));
  EXPECT_EQ(parse_seed("42", "who"), Seed(42));
  const std::string digits(64, 'a');
  EXPECT_NE(parse_seed(digits, "who"), Seed(42));
  for (const std::string& bad : {std::string(), std::string("x"), std::string("-1"), std::string("1 2"), std::string("0x1ffffffffffffffff"),
                                 digits + "a", digits.substr(1), "0x" + digits.substr(1) + "g"})
    EXPECT_THROW(parse_seed(bad, "who"), std::runtime_error) << bad;
}

TEST(Seed, IsReplayedByWhatIsPrinted) {
  for (int i = 0; i < 100; ++i) {
    const Seed seed = fresh_seed();
    EXPECT_EQ(parse_seed(seed_text(seed), "who"), seed);
    EXPECT_EQ(parse_seed(seed_text(seed).substr(2), "who"), seed);
  }
  // Literal: a number must stand for the same secret in every version.
  EXPECT_EQ(seed_text(42), "0x2387f2cd3cc15b8ce98f1e30621faf256ea6e5d992025d5e6b9ac309114a021c");
}

TEST(Seed, DerivedOnesDiffer) {
  EXPECT_NE(Seed(1).derived("a"), Seed(1));
  EXPECT_NE(Seed(1).derived("a"), Seed(1).derived("b"));
  EXPECT_NE(Seed(1).derived("a"), Seed(2).derived("a"));
}

}  // namespace
}  // namespace assay::cases
