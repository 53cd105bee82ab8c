// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "estimate_pi.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

int main() {
  constexpr double kPi = 3.14159265358979323846;
  for (const std::size_t points : {std::size_t{4}, std::size_t{1000}, std::size_t{100000}, std::size_t{10000000}}) {
    std::set<double> seen;
    for (const unsigned long long seed : {1ULL, 2ULL, 3ULL, 123456789ULL, 1ULL << 40}) {
      double pi = -1, again = -2;
      REQUIRE(estimate_pi(seed, points, &pi) == CURAND_STATUS_SUCCESS);
      REQUIRE(estimate_pi(seed, points, &again) == CURAND_STATUS_SUCCESS);
      REQUIRE(pi == again);
      const double counted = pi / 4 * static_cast<double>(points);
      REQUIRE(std::abs(counted - std::round(counted)) < 1e-3);  // a number of points
      const double deviation = 4 * std::sqrt(kPi / 4 * (1 - kPi / 4) / static_cast<double>(points));
      REQUIRE(std::abs(pi - kPi) < 6 * deviation || points == 4);
      seen.insert(pi);
    }
    REQUIRE(points < 100000 || seen.size() > 1);  // seeds matter
  }
  std::puts("all right");
}
