// SPDX-License-Identifier: Apache-2.0
#include "extent.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace assay::spec {

std::vector<std::string> factors_of(const std::string& text) {
  std::vector<std::string> factors;
  std::istringstream split(text + "*");
  for (std::string factor; std::getline(split, factor, '*');) {
    const std::size_t begin = factor.find_first_not_of(' '), end = factor.find_last_not_of(' ');
    factors.push_back(begin == std::string::npos ? "" : factor.substr(begin, end - begin + 1));
  }
  return factors;
}

std::int64_t extent_of(const std::string& text, const std::map<std::string, std::int64_t>& dims) {
  std::int64_t product = 1;
  for (const std::string& factor : factors_of(text)) {
    const bool is_number = !factor.empty() && std::ranges::all_of(factor, [](char c) { return c >= '0' && c <= '9'; });
    if (__builtin_mul_overflow(product, is_number ? std::stoll(factor) : dims.at(factor), &product))
      return std::numeric_limits<std::int64_t>::max();
  }
  return product;
}

}  // namespace assay::spec
