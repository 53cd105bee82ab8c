// SPDX-License-Identifier: Apache-2.0
// references/blocks/power.h against the C library in float64.
#include "blocks/power.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void expect_near(float a, float b) {
  const float got = blocks::power(a, b);
  const double exact = std::pow(static_cast<double>(a), static_cast<double>(b));
  const auto rounded = static_cast<float>(exact);
  if (std::isnan(exact)) {
    EXPECT_TRUE(std::isnan(got)) << a << "^" << b << " gives " << got;
  } else if (std::isinf(rounded) || rounded == 0) {
    EXPECT_EQ(got, rounded) << a << "^" << b;
  } else {
    const double unit = std::max(std::abs(exact) * 0x1p-23, 0x1p-149);
    EXPECT_LE(std::abs(got - exact), unit) << a << "^" << b << " gives " << got << ", expected " << exact;
  }
}

TEST(Power, IsNearTheExactResult) {
  uint32_t state = 1;
  const auto drawn = [&state](uint32_t range) { return (state = state * 1664525 + 1013904223) % range; };
  for (int i = 0; i < 200000 && !testing::Test::HasFailure(); ++i) {
    const float a = std::bit_cast<float>(drawn(0x7f800000));                    // all positive numbers
    expect_near(a, (static_cast<float>(drawn(1 << 24)) - 0x1p23f) * 0x1p-16f);  // to some 127
    expect_near(1 + (static_cast<float>(drawn(1 << 24)) - 0x1p23f) * 0x1p-26f, static_cast<float>(drawn(2000)) - 1000);
  }
}

TEST(Power, KeepsWhatTheCLibrarySaysOfSpecialValues) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float a :
       {0.0f, std::numeric_limits<float>::denorm_min(), 0.5f, 1.0f, 2.0f, std::numeric_limits<float>::max(), kInfinity, nan})
    for (const float b : {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 200.0f, -200.0f, kInfinity, -kInfinity, nan}) expect_near(a, b);
}

}  // namespace
