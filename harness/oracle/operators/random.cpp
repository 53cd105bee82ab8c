// SPDX-License-Identifier: Apache-2.0
// Random numbers as a function of a key and a counter, so that one right result exists: kernelassay.Philox. Key int64[1],
// counters int64 [any shape] -> uint32 [that shape, 4]. Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as
// 1, 2, 3", SC'11, section 3.3, with four words of 32 bits and ten rounds.
#include <fmt/core.h>

#include <array>

#include "elementwise.h"

namespace assay::oracle {
namespace {

using Words = std::array<std::uint32_t, 4>;

std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

Words philox(std::uint64_t key, std::uint64_t counter) {
  constexpr int kRounds = 10;
  Words c = {low_word(counter), high_word(counter), 0, 0};
  std::uint32_t k0 = low_word(key), k1 = high_word(key);
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * c[0], p1 = std::uint64_t{0xCD9E8D57} * c[2];
    c = {high_word(p1) ^ c[1] ^ k0, low_word(p1), high_word(p0) ^ c[3] ^ k1, low_word(p0)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

constexpr const char* kMeaning =
    "`words = kernelassay.Philox(key, counters)` is the counter-based random number generator Philox4x32-10 (Salmon et al., SC'11). "
    "`words[..., 0]` to `words[..., 3]` are the "
    "four words that it gives for the counter `counters[...]`. All words have 32 bits, without a sign. k0 and k1 are the low and "
    "the high word of `key[0]`; c0 and c1 are those of the counter, c2 and c3 are 0. In each of ten rounds let p0 = 0xD2511F53 * c0 and "
    "p1 = 0xCD9E8D57 * c2, whole products of 64 bits with the words high(p) and low(p). Then at once c0 = high(p1) ^ c1 ^ k0, "
    "c1 = low(p1), c2 = high(p0) ^ c3 ^ k1, c3 = low(p0); and after each round k0 += 0x9E3779B9 and k1 += 0xBB67AE85, modulo 2^32. "
    "The words are c0, c1, c2, c3 after the last round. Key 0 and counter 0 give 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8.";

const bool defined = define({.name = "Philox", .specials = Specials::nan, .domain = "kernelassay", .meaning = kMeaning}, [](auto& call) {
  call.require(call.input_count() == 2, fmt::format("takes a key and counters, got {} inputs", call.input_count()));
  for (const std::size_t i : {0, 1})
    call.require(call.type(i) == ElementType::i64,
                 fmt::format("{} must be int64, got {}. do: Cast it", i == 0 ? "key" : "counters", info(call.type(i)).onnx_name));
  call.require(element_count(call.shape(0)) == 1, "key must be one number, got shape " + to_string(call.shape(0)));
  const auto key = static_cast<std::uint64_t>(call.integers(0)[0]);
  const Integers& counters = call.integers(1);
  Shape shape = counters.shape();
  shape.push_back(4);
  Integers& words = call.integers_out(0, shape, ElementType::u32);
  for (std::size_t i = 0; i < counters.size(); ++i) {
    const Words drawn = philox(key, static_cast<std::uint64_t>(counters[i]));
    std::copy(drawn.begin(), drawn.end(), words.begin() + static_cast<std::ptrdiff_t>(4 * i));
  }
});

}  // namespace
}  // namespace assay::oracle
