// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/random.h"

#include <fmt/format.h>
#include <sodium.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace assay::cases {
namespace {

static_assert(crypto_stream_chacha20_KEYBYTES == std::tuple_size_v<Seed::Key>);
constexpr std::uint32_t kChaChaBlock = 64;

/// Chooses the fastest code for this processor; all give the same bytes.
void require_sodium() {
  static const int ready = sodium_init();
  if (ready < 0) throw std::runtime_error("seed: libsodium does not start");
}

std::array<unsigned char, 8> little_endian(std::uint64_t number) {
  std::array<unsigned char, 8> bytes;
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(number), number >>= 8;
  return bytes;
}

/// Each part goes in with its length before it.
Seed::Key keyed_hash(const Seed::Key& secret, std::string_view purpose, std::initializer_list<std::string_view> path) {
  require_sodium();
  crypto_generichash_state state;
  crypto_generichash_init(&state, secret.data(), secret.size(), std::tuple_size_v<Seed::Key>);
  const auto add = [&state](std::string_view part) {
    crypto_generichash_update(&state, little_endian(part.size()).data(), 8);
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(part.data()), part.size());
  };
  add(purpose);
  for (const std::string_view part : path) add(part);
  Seed::Key hash;
  crypto_generichash_final(&state, hash.data(), hash.size());
  return hash;
}

/// The natural logarithm from exactly rounded operations alone, within two units in the last place: the C library's
/// differs between machines. `x` is normal and positive.
double logarithm(double x) {
  int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52) - 1023;
  double mantissa = std::bit_cast<double>((std::bit_cast<std::uint64_t>(x) & 0xfffffffffffffu) | 0x3ff0000000000000u);
  if (mantissa > 1.4142135623730951) mantissa /= 2, ++exponent;
  const double s = (mantissa - 1) / (mantissa + 1), square = s * s;
  static constexpr double kInverses[] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3};
  double series = 0;  // of 2 artanh(s), |s| < 0.1716
  for (const double inverse : kInverses) series = (series + inverse) * square;
  return exponent * 0.6931471805599453 + 2 * (s + s * series);
}

/// Marsaglia and Tsang's ziggurat ("The ziggurat method for generating random variables", J. Stat. Software 5, 2000), in
/// double precision: 256 strips of equal area under exp(-x^2/2), the lowest with the tail.
struct Ziggurat {
  static constexpr double kTail = 3.6541528853610088;           ///< where the tail begins
  static constexpr double kTailHeight = 0.0012602859304985976;  ///< exp(-kTail^2 / 2)
  static constexpr double kArea = 0.0049286732339746553;        ///< of each strip
  std::array<double, 257> x, height;                            ///< the right ends of the strips, from below, and the density there

  Ziggurat() {
    x[0] = kArea / kTailHeight;  // as wide as a rectangle of the lowest strip's area
    height[0] = 0;
    x[1] = kTail;
    height[1] = kTailHeight;
    for (std::size_t i = 2; i < 256; ++i) {
      height[i] = height[i - 1] + kArea / x[i - 1];
      x[i] = std::sqrt(-2 * logarithm(height[i]));
    }
    x[256] = 0;
    height[256] = 1;
  }
};
const Ziggurat kZiggurat;

}  // namespace

Seed::Seed(std::uint64_t number) {
  const auto bytes = little_endian(number);
  secret_ = keyed_hash(Key{}, "number", {std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())});
}

Seed Seed::derived(std::string_view name) const { return Seed(keyed_hash(secret_, "seed", {name})); }

Seed parse_seed(const std::string& text, const std::string& who) {
  const bool hexadecimal = text.starts_with("0x");
  const std::string_view digits = std::string_view(text).substr(hexadecimal ? 2 : 0);
  Seed::Key secret;
  if (digits.size() == 2 * secret.size() &&
      sodium_hex2bin(secret.data(), secret.size(), digits.data(), digits.size(), nullptr, nullptr, nullptr) == 0)
    return Seed(secret);
  std::uint64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, number, hexadecimal ? 16 : 10);
  if (parsed.ec != std::errc() || parsed.ptr != end)
    throw std::runtime_error(fmt::format(
        "{}: got '{}'. do: give a number below 2^64, decimal or 0x..., or a record's seed of 64 hexadecimal digits", who, text));
  return number;
}

Seed fresh_seed() {
  if (const char* given = std::getenv("ASSAY_SEED"); given != nullptr && *given != '\0') return parse_seed(given, "ASSAY_SEED");
  require_sodium();
  Seed::Key secret;
  randombytes_buf(secret.data(), secret.size());
  return Seed(secret);
}

std::string seed_text(const Seed& seed) {
  char digits[2 * std::tuple_size_v<Seed::Key> + 1];
  return std::string("0x") + sodium_bin2hex(digits, sizeof digits, seed.secret().data(), seed.secret().size());
}

RandomStream::RandomStream(const Seed& seed, std::initializer_list<std::string_view> path)
    : key_(keyed_hash(seed.secret(), "stream", path)) {}

void RandomStream::refill() {
  static constexpr unsigned char kNonce[crypto_stream_chacha20_IETF_NONCEBYTES] = {};  // a key has one stream
  auto* bytes = reinterpret_cast<unsigned char*>(block_.data());
  block_.fill(0);
  crypto_stream_chacha20_ietf_xor_ic(bytes, bytes, sizeof block_, kNonce, blocks_, key_.data());
  if constexpr (std::endian::native == std::endian::big)
    for (std::uint64_t& word : block_) word = __builtin_bswap64(word);
  blocks_ += sizeof block_ / kChaChaBlock;
  if (blocks_ == 0) throw std::logic_error("a random stream ends after 256 GiB");
  next_ = 0;
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits()) * bound) >> 64);
}

namespace {

/// What most words give at once: where a point of their strip lies, with a sign, and whether it is below the curve for certain.
struct Point {
  double x;
  bool is_below;
};
Point point_of(std::uint64_t word) {
  const std::size_t strip = word & 0xff;
  const double distance = static_cast<double>(static_cast<std::int64_t>(word >> 11)) * 0x1p-53 * kZiggurat.x[strip];
  const std::uint64_t sign = (word & 0x100) << 55;
  return {std::bit_cast<double>(std::bit_cast<std::uint64_t>(distance) | sign), distance < kZiggurat.x[strip + 1]};
}

}  // namespace

double RandomStream::normal() { return normal_from(bits()); }

double RandomStream::normal_from(std::uint64_t word) {
  for (;; word = bits()) {
    const auto [x, is_below] = point_of(word);
    if (is_below) return x;
    const std::size_t strip = word & 0xff;
    if (strip == 0) return std::copysign(normal_tail(), x);
    const auto& height = kZiggurat.height;
    const double at = height[strip] + uniform() * (height[strip + 1] - height[strip]);
    if (logarithm(at) < -0.5 * x * x) return x;
  }
}

void RandomStream::fill_normal(std::span<double> out) {
  while (!out.empty()) {
    const auto words = some_bits(out.size());
    fill_normal_from(words, out);
    out = out.subspan(words.size());
  }
}

void RandomStream::fill_normal_floats(std::span<double> out) {
  std::array<std::uint64_t, 2 * std::tuple_size_v<decltype(block_)>> halves;
  while (!out.empty()) {
    const auto words = some_bits((out.size() + 1) / 2);
    for (std::size_t i = 0; i < words.size(); ++i) {
      // 23 of 53 bits of the place in its strip, and the middle of what they leave: none is 0.
      const auto widened = [](std::uint64_t half) { return (half >> 9) << 41 | std::uint64_t{1} << 40 | (half & 0x1ff); };
      halves[2 * i] = widened(words[i] & 0xffffffff);
      halves[2 * i + 1] = widened(words[i] >> 32);
    }
    const std::size_t count = std::min(out.size(), 2 * words.size());
    fill_normal_from({halves.data(), count}, out);
    out = out.subspan(count);
  }
}

void RandomStream::fill_normal_from(std::span<const std::uint64_t> words, std::span<double> out) {
  constexpr std::size_t kMost = 2 * std::tuple_size_v<decltype(block_)>;
  std::array<std::uint8_t, kMost> is_below;
  std::array<std::uint64_t, kMost> undecided;
  std::array<std::size_t, kMost> places;
  for (std::size_t i = 0; i < words.size(); ++i) {  // on its own: it has no branch, and is vectorised
    const Point point = point_of(words[i]);
    out[i] = point.x;
    is_below[i] = point.is_below;
  }
  std::size_t left = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    undecided[left] = words[i];
    places[left] = i;
    left += 1 - is_below[i];
  }
  for (std::size_t i = 0; i < left; ++i) out[places[i]] = normal_from(undecided[i]);
}

double RandomStream::normal_tail() {
  for (;;) {
    const double beyond = -logarithm(1 - uniform()) / Ziggurat::kTail, second = -logarithm(1 - uniform());
    if (2 * second > beyond * beyond) return Ziggurat::kTail + beyond;
  }
}

}  // namespace assay::cases
