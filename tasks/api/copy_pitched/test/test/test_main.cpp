// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <random>
#include <vector>

#include "copy_pitched.h"

namespace {

using Bytes = std::vector<unsigned char>;
int failures = 0;

#define EXPECT(what)                                          \
  do {                                                        \
    if (!(what)) {                                            \
      ++failures;                                             \
      std::printf("FAILED: line %d: %s\n", __LINE__, #what);  \
    }                                                         \
  } while (false)

void rounds_up() {
  EXPECT(pitch_for(1, 256) == 256);
  EXPECT(pitch_for(256, 256) == 256);
  EXPECT(pitch_for(257, 256) == 512);
  EXPECT(pitch_for(0, 64) == 64);
  EXPECT(pitch_for(12345, 1) == 12345);
}

void copies(std::size_t width, std::size_t height, std::size_t to_pitch, std::size_t from_pitch, std::mt19937& random) {
  Bytes from(from_pitch * height + 64), to(to_pitch * height + 64);
  for (unsigned char& byte : from) byte = static_cast<unsigned char>(random());
  for (unsigned char& byte : to) byte = static_cast<unsigned char>(random());
  Bytes right = to;
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) right[32 + y * to_pitch + x] = from[32 + y * from_pitch + x];
  const Bytes before = from;
  EXPECT(copy_pitched(to.data() + 32, to_pitch, from.data() + 32, from_pitch, width, height) == CopyResult::done);
  EXPECT(to == right);
  EXPECT(from == before);
}

void refuses() {
  Bytes from(1000, 1), to(1000, 2);
  const Bytes before = to;
  EXPECT(copy_pitched(to.data(), 9, from.data(), 20, 10, 3) == CopyResult::bad_pitch);
  EXPECT(copy_pitched(to.data(), 20, from.data(), 9, 10, 3) == CopyResult::bad_pitch);
  EXPECT(to == before);
  Bytes both(1000, 3);
  both[5] = 4;
  const Bytes all = both;
  EXPECT(copy_pitched(both.data() + 15, 20, both.data(), 20, 10, 3) == CopyResult::overlaps);
  EXPECT(copy_pitched(both.data(), 20, both.data() + 49, 20, 10, 3) == CopyResult::overlaps);
  EXPECT(both == all);
  EXPECT(copy_pitched(both.data() + 50, 20, both.data(), 20, 10, 3) == CopyResult::done);  // one ends where the other begins
  EXPECT(both[55] == 4);
  EXPECT(copy_pitched(nullptr, 0, nullptr, 0, 0, 5) == CopyResult::done);
  EXPECT(copy_pitched(nullptr, 0, nullptr, 0, 5, 0) == CopyResult::done);
}

}  // namespace

int main() {
  std::mt19937 random(std::random_device{}());
  rounds_up();
  refuses();
  for (const std::size_t width : {1, 3, 64, 100})
    for (const std::size_t height : {1, 2, 31})
      for (const std::size_t more : {0, 1, 28}) {
        copies(width, height, width + more, width, random);
        copies(width, height, width, width + more, random);
        copies(width, height, width + 2 * more, width + more, random);
      }
  if (failures == 0) std::puts("all right");
  return failures != 0;
}
