// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "histogram.h"

namespace {

int failures = 0;

void expect(bool good, const char* what, std::size_t count, int bins, int threads) {
  if (good) return;
  ++failures;
  std::printf("FAILED: %s: %zu values, %d bins, %d threads\n", what, count, bins, threads);
}

void try_one(std::size_t count, int bins, int low, int high, int threads, std::mt19937& random) {
  std::uniform_int_distribution<int> draw(low, high);
  std::vector<std::int32_t> values(count);
  for (std::int32_t& value : values) value = draw(random);
  std::vector<std::uint64_t> right(bins, 0);
  std::size_t left_out = 0;
  for (const std::int32_t value : values) {
    if (value < 0 || value >= bins) ++left_out;
    else ++right[value];
  }
  const std::vector<std::int32_t> before = values;
  const std::uint64_t fence = 0x5a5a5a5a5a5a5a5aULL;
  std::vector<std::uint64_t> counts(bins + 2, fence);
  omp_set_num_threads(threads);
  const std::size_t said = count_values(count == 0 ? nullptr : values.data(), count, bins, counts.data() + 1);
  expect(said == left_out, "number of values left out", count, bins, threads);
  expect(counts.front() == fence && counts.back() == fence, "writes beyond the counts", count, bins, threads);
  expect(values == before, "changes the values", count, bins, threads);
  for (int bin = 0; bin < bins; ++bin)
    if (counts[bin + 1] != right[bin]) return expect(false, "counts", count, bins, threads);
}

/// What `--perf` times: many calls on large inputs. Each differs from the last, and the counts of each are compared.
int benchmark() {
  constexpr int kBins = 256, kCalls = 400;
  constexpr std::size_t kCount = 2'000'000;
  std::mt19937 random(std::random_device{}());
  std::vector<std::int32_t> values(kCount);
  std::vector<std::uint64_t> right(kBins, 0), counts(kBins);
  for (std::int32_t& value : values) ++right[value = static_cast<std::int32_t>(random() % kBins)];
  for (int call = 0; call < kCalls; ++call) {
    std::int32_t& changed = values[random() % kCount];
    --right[changed];
    ++right[changed = static_cast<std::int32_t>(random() % kBins)];
    if (count_values(values.data(), kCount, kBins, counts.data()) != 0 || counts != right) {
      std::printf("FAILED: counts of call %d\n", call);
      return 1;
    }
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "--perf") == 0) return benchmark();
  std::mt19937 random(std::random_device{}());
  for (const int threads : {1, 2, 3, 8})
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1000}, std::size_t{300001}})
      for (const int bins : {1, 2, 17, 4096}) {
        try_one(count, bins, 0, bins - 1, threads, random);
        try_one(count, bins, -5, bins + 5, threads, random);
        try_one(count, bins, bins - 1, bins - 1, threads, random);
      }
  if (failures == 0) std::puts("all right");
  return failures == 0 ? 0 : 1;
}
