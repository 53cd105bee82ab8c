// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <cstdio>
#include <random>
#include <vector>

#include "exclusive_scan.h"

namespace {

constexpr std::uint64_t kFence = 0xfeedfacecafebeefULL;

bool is_right(std::size_t count, int threads, bool in_place, bool large, std::mt19937_64& random) {
  std::vector<std::uint64_t> numbers(count);
  for (std::uint64_t& number : numbers) number = large ? random() : random() % 1000;
  std::vector<std::uint64_t> right(count);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    right[i] = sum;
    sum += numbers[i];
  }
  std::vector<std::uint64_t> sums(count + 2, kFence);
  for (std::size_t i = 0; in_place && i < count; ++i) sums[i + 1] = numbers[i];
  const std::vector<std::uint64_t> before = numbers;
  std::uint64_t* const to = count == 0 ? nullptr : sums.data() + 1;
  const std::uint64_t* const from = in_place || count == 0 ? to : numbers.data();
  omp_set_num_threads(threads);
  const std::uint64_t total = exclusive_scan(from, count, to);
  if (total != sum || sums.front() != kFence || sums.back() != kFence || numbers != before) return false;
  for (std::size_t i = 0; i < count; ++i)
    if (sums[i + 1] != right[i]) return false;
  return true;
}

}  // namespace

int main() {
  std::mt19937_64 random(std::random_device{}());
  for (const int threads : {1, 2, 5, 16})
    for (const std::size_t count : {0, 1, 2, 3, 15, 16, 17, 1000, 4099, 500009})
      for (const bool in_place : {false, true})
        for (const bool large : {false, true})
          if (!is_right(count, threads, in_place, large, random)) {
            std::printf("FAILED: %zu numbers, %d threads%s%s\n", count, threads, in_place ? ", in place" : "", large ? ", of 64 bits" : "");
            return 1;
          }
  std::puts("all right");
  return 0;
}
