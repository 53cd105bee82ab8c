// SPDX-License-Identifier: Apache-2.0
#include "float8_class.h"

#include <map>
#include <string_view>

namespace assay::spec {
namespace {

/// Both are cut from a float: its exponent gets another bias and its fraction fewer bits. Below the smallest normal number the sum with a
/// power of two, whose last place is the smallest subnormal, rounds as it must.
constexpr std::string_view kClass = R"(#ifdef __cplusplus
/* 8 bits, @layout@.
   From float: rounded to nearest even, and @largest@ in place of what is larger, infinities included. */
struct @name@ {
  uint8_t bits;
  @name@() = default;
  @name@(float value) {
    uint32_t word;
    __builtin_memcpy(&word, &value, 4);
    const uint32_t sign = word >> 24 & 0x80;
    word &= 0x7fffffff;
    if (word > 0x7f800000) {
      word = 0x7f;
    } else if (word >= @largest_word@) {
      word = @largest_pattern@;
    } else if (word < @normal_word@) {
      __builtin_memcpy(&value, &word, 4);
      value += @magic@;
      __builtin_memcpy(&word, &value, 4);
      word -= @magic_word@;
    } else {
      word = (word + @half@ + (word >> @dropped@ & 1) - (@rebias@u << 23)) >> @dropped@;
    }
    bits = (uint8_t)(sign | word);
  }
  operator float() const {
    const uint32_t magnitude = bits & 0x7f;
    float value = (float)magnitude * @quantum@;
    uint32_t word;
    __builtin_memcpy(&word, &value, 4);
    if (magnitude >= @normal_pattern@) word = (magnitude << @dropped@) + (@rebias@u << 23);
    @beyond@
    word |= (uint32_t)(bits & 0x80) << 24;
    __builtin_memcpy(&value, &word, 4);
    return value;
  }
};
#else
typedef uint8_t @name@; /* its bits (uchar in OpenCL C), @layout@ */
#endif
)";

using Words = std::map<std::string_view, std::string_view>;

const Words kE4m3 = {{"name", "float8_e4m3"},
                     {"layout", "OFP8 E4M3: 4 of exponent (bias 7), 3 of fraction, no infinities, NaN is 0x7f or 0xff"},
                     {"largest", "448"},
                     {"largest_word", "0x43e00000"},
                     {"largest_pattern", "0x7e"},
                     {"normal_word", "0x3c800000"},
                     {"normal_pattern", "0x08"},
                     {"magic", "16384.0f"},
                     {"magic_word", "0x46800000"},
                     {"half", "0x7ffff"},
                     {"dropped", "20"},
                     {"rebias", "120"},
                     {"quantum", "0.001953125f"},
                     {"beyond", "if (magnitude == 0x7f) word = 0x7fc00000;"}};
const Words kE5m2 = {{"name", "float8_e5m2"},
                     {"layout", "OFP8 E5M2: 5 of exponent (bias 15), 2 of fraction, infinity is 0x7c or 0xfc, NaN what is beyond"},
                     {"largest", "57344"},
                     {"largest_word", "0x47600000"},
                     {"largest_pattern", "0x7b"},
                     {"normal_word", "0x38800000"},
                     {"normal_pattern", "0x04"},
                     {"magic", "128.0f"},
                     {"magic_word", "0x43000000"},
                     {"half", "0xfffff"},
                     {"dropped", "21"},
                     {"rebias", "112"},
                     {"quantum", "0.0000152587890625f"},
                     {"beyond", "if (magnitude >= 0x7c) word = magnitude == 0x7c ? 0x7f800000 : 0x7fc00000;"}};

}  // namespace

std::string float8_definition(ElementType type) {
  const Words& words = type == ElementType::f8e4m3 ? kE4m3 : kE5m2;
  std::string text;
  for (std::size_t at = 0; at < kClass.size();) {
    const std::size_t begin = kClass.find('@', at);
    text += kClass.substr(at, begin - at);
    if (begin == kClass.npos) break;
    const std::size_t end = kClass.find('@', begin + 1);
    text += words.at(kClass.substr(begin + 1, end - begin - 1));
    at = end + 1;
  }
  return text;
}

}  // namespace assay::spec
