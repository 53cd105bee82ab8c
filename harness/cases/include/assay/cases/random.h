// SPDX-License-Identifier: Apache-2.0
// What the judge draws at random. A candidate sees much of it (inputs, what poisons its outputs, who goes first) and may know
// this file: none of that lets it compute a stream that it has not seen.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace assay::cases {

/// The secret of 256 bits that everything of a stage is drawn from. It leaves the judge in the record alone, after the end.
class Seed {
 public:
  using Key = std::array<unsigned char, 32>;

  Seed() : Seed(0) {}
  /// A short number that people remember stands for its hash.
  Seed(std::uint64_t number);  // NOLINT: numbers are seeds
  explicit Seed(const Key& secret) : secret_(secret) {}

  /// Another secret, which does not tell this one.
  Seed derived(std::string_view name) const;
  const Key& secret() const { return secret_; }
  bool operator==(const Seed&) const = default;

 private:
  Key secret_;
};

/// As the record prints a seed (0x and 64 hexadecimal digits) or as people write one: a number below 2^64, decimal or 0x...
/// std::runtime_error, beginning with `who`, where `text` is neither.
Seed parse_seed(const std::string& text, const std::string& who);
/// A fresh seed from the kernel, or the value of the environment variable ASSAY_SEED where it is set.
Seed fresh_seed();
std::string seed_text(const Seed& seed);

/// ChaCha20's key stream. Its key is a keyed BLAKE2b hash of the path, whose parts cannot run into each other: each stream of
/// a seed is independent of all others and of the order in which they are drawn.
class RandomStream {
 public:
  RandomStream(const Seed& seed, std::initializer_list<std::string_view> path);
  std::uint64_t bits() {
    if (next_ == block_.size()) refill();
    return block_[next_++];
  }
  /// The next numbers of bits(), `most` or as many as are ready; one at least. Stands until the stream is asked again.
  std::span<const std::uint64_t> some_bits(std::size_t most) {
    if (next_ == block_.size()) refill();
    const std::size_t count = std::min(most, block_.size() - next_);
    next_ += count;
    return {block_.data() + next_ - count, count};
  }
  /// Uniform in [0, bound); 0 for bound 0.
  std::uint64_t below(std::uint64_t bound);
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  ///< in [0, 1), 53 bits
  /// Mean 0, variance 1, with the tails of a normal distribution: of 2^31 numbers one is beyond 6.
  double normal();
  /// As normal(), of the same distribution and not the same numbers: those that take more than one of bits() come last.
  void fill_normal(std::span<double> out);
  /// The same distribution to the digits of a float, from half as many bits.
  void fill_normal_floats(std::span<double> out);

 private:
  void refill();
  double normal_from(std::uint64_t word);
  void fill_normal_from(std::span<const std::uint64_t> words, std::span<double> out);
  double normal_tail();

  Seed::Key key_;
  std::uint32_t blocks_ = 0;  ///< of 64 bytes, drawn so far
  std::array<std::uint64_t, 512> block_{};
  std::size_t next_ = 512;
};

}  // namespace assay::cases
