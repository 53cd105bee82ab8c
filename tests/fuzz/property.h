// SPDX-License-Identifier: Apache-2.0
// What a fuzz target is, and says of its subject. libFuzzer, and the replay program's CTest, take an abort for a failure.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace assay {

/// `got` is what breaks the property: a message, or the input's own text.
inline void require(bool holds, const char* property, std::string_view got = "") {
  if (holds) return;
  std::fprintf(stderr, "property does not hold: %s\n  got: %.*s\n", property, static_cast<int>(got.size()), got.data());
  std::abort();
}

/// Calls `read`, and says whether it accepted. Only `Error` may be thrown, with a message that holds `named`.
template <class Error, class Read>
bool accepts(std::string_view named, Read&& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    require(std::string_view(error.what()).find(named) != std::string_view::npos, "an error names what it is about", error.what());
    return false;
  }
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }

/// Takes a fuzzer's bytes apart; zeros follow the last one.
class Bits {
 public:
  Bits(const std::uint8_t* data, std::size_t size) : at_(data), left_(size) {}

  template <class T>
  T take() {
    T value{};
    auto* bytes = reinterpret_cast<std::uint8_t*>(&value);
    for (std::size_t i = 0; i < sizeof value && left_ > 0; ++i, --left_) bytes[i] = *at_++;
    return value;
  }
  bool empty() const { return left_ == 0; }
  std::string_view rest() const { return text_of(at_, left_); }

 private:
  const std::uint8_t* at_;
  std::size_t left_;
};

using FuzzTarget = int (*)(const std::uint8_t* data, std::size_t size);
/// Of the program replay.
bool know_target(const char* name, FuzzTarget target);

}  // namespace assay

/// FUZZ_TARGET(name) { ... } reads one input, `size` bytes from `data`, and returns 0. A fuzzer has one target; the program replay has all,
/// each in a namespace of its own.
#ifdef KERNELASSAY_REPLAY
#define FUZZ_TARGET(name)                                                         \
  static int run(const std::uint8_t* data, std::size_t size);                     \
  [[maybe_unused]] static const bool is_known = ::assay::know_target(#name, run); \
  static int run([[maybe_unused]] const std::uint8_t* data, [[maybe_unused]] std::size_t size)
#else
#define FUZZ_TARGET(name) extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
#endif
